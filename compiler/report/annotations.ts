import { workflowCommand } from '#grammar/markup/workflow-command.ts';

import type { Located } from './locate.ts';

const levels = { error: 'error', warning: 'warning', info: 'notice', hint: 'notice' } as const;

/** Findings as workflow commands of GitHub Actions, one a line. */
export function annotations(located: readonly Located[]): string {
  return located
    .map(({ diagnostic, primary }) => {
      const { source: file, start, end } = primary;
      const place = { file, line: start.line, endLine: end.line, col: start.column, endColumn: end.column };
      const { severity, code, slug, message: told, help } = diagnostic;
      const message = help === undefined ? told : `${told}\n${help}`;
      const properties = { ...place, title: `${code} ${slug}` };
      return `${workflowCommand({ name: levels[severity], properties, message })}\n`;
    })
    .join('');
}
