import { asText, requestName } from './fields.ts';
import type { Exchanges } from './fields.ts';

/** Counts, then a table of what passed and one of what failed; a table without rows is left out. */
export function markdownReport(title: string, { passed, failed, dropped }: Exchanges): string {
  const successes = passed.map((record) => [
    record['request_method'],
    record['request_url'] ?? record['url'],
    record['status_code'],
    record['elapsed'],
  ]);
  const failures = failed.map(({ call, error }) => [...requestName(call).split(/ (.*)/s).slice(0, 2), error]);
  return [
    `# ${cell(title)}`,
    '',
    `**Successes:** ${passed.length}`,
    `**Failures:** ${failed.length}`,
    ...(dropped > 0 ? [`**Older requests that are not shown:** ${dropped}`] : []),
    ...table('Successful requests', ['Method', 'URL', 'Status', 'Elapsed (s)'], successes),
    ...table('Failed requests', ['Method', 'URL', 'Error'], failures),
    '',
  ].join('\n');
}

function table(title: string, head: readonly string[], rows: readonly (readonly unknown[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    '',
    `## ${title}`,
    '',
    line(head),
    line(head.map(() => '---')),
    ...rows.map((cells) => line(cells.map((value) => cell(value === undefined || value === null ? '?' : text(value))))),
  ];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : asText(value as number);
}

/** A text that ends no cell and begins no markup of a page. */
function cell(value: string): string {
  return value
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;');
}
