import { workflowCommand } from '#grammar/markup/workflow-command.ts';

import type { Located, LocatedLabel } from './locate.ts';

const levels = { error: 'error', warning: 'warning', info: 'notice', hint: 'notice' } as const;

/** Findings as workflow commands of GitHub Actions, one a line. */
export function annotations(located: readonly Located[]): string {
  return located
    .map(({ diagnostic, primary, related }) => {
      const { source: file, start, end } = primary;
      const place = { file, line: start.line, endLine: end.line, col: start.column, endColumn: end.column };
      const { severity, code, slug, message: told, help } = diagnostic;
      const message = [told, ...related.map(placeText), ...(help === undefined ? [] : [help])].join('\n');
      const properties = { ...place, title: `${code} ${slug}` };
      return `${workflowCommand({ name: levels[severity], properties, message })}\n`;
    })
    .join('');
}

/** An annotation stands at one place: the others are told in words. */
function placeText({ source, start, text = 'see' }: LocatedLabel): string {
  return `${text}: ${source}:${start.line}:${start.column}`;
}
