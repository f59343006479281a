import type { ExampleBlock, Explanation } from '#schemas/types/explanation.ts';

/** A section of the message catalogue as a page of text. */
export function explanationText(entry: Explanation): string {
  const kind =
    entry.kind === 'diagnostic' ? (entry.severity ?? 'error') : `failure at run time, class ${entry.class ?? 'real'}`;
  const lines = [`${entry.code} ${entry.slug} (${kind})`, '', `  ${entry.message}`, '', entry.text.trim()];
  if (entry.help !== undefined) lines.push('', `What to do: ${entry.help}`);
  if (entry.bad.length > 0) lines.push('', 'Wrong:', ...entry.bad.flatMap(exampleLines));
  if (entry.good.length > 0) lines.push('', 'Right:', ...entry.good.flatMap(exampleLines));
  return `${lines.join('\n')}\n`;
}

function exampleLines({ name, text }: ExampleBlock): string[] {
  const heading = name === undefined ? [] : [`  ${name}:`];
  return [
    ...heading,
    ...text
      .trimEnd()
      .split('\n')
      .map((line) => `    ${line}`),
    '',
  ];
}
