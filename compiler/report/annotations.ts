import type { Located } from './locate.ts';

const levels = { error: 'error', warning: 'warning', info: 'notice', hint: 'notice' } as const;

/** Findings as workflow commands of GitHub Actions, one a line. */
export function annotations(located: readonly Located[]): string {
  return located
    .map(({ diagnostic, primary }) => {
      const place = `file=${property(primary.source)},line=${primary.start.line},endLine=${primary.end.line},col=${primary.start.column},endColumn=${primary.end.column}`;
      const text = diagnostic.help === undefined ? diagnostic.message : `${diagnostic.message}\n${diagnostic.help}`;
      return `::${levels[diagnostic.severity]} ${place},title=${property(`${diagnostic.code} ${diagnostic.slug}`)}::${data(text)}\n`;
    })
    .join('');
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
