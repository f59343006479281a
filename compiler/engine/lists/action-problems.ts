import type { Compilation } from '#compiler/api.ts';
import { STDIN } from '#compiler/phases/4-resolve/files.ts';
import { locate, type Located } from '#compiler/report/locate.ts';
import { printRoute } from '#grammar/document/route.ts';

import { sourcesOf } from '../sources-of.ts';

/** Problems that a failure tells; the rest only counts. */
const MOST_TOLD = 10;

/** One line for each error: where it stands, in a file by line and column, in a list that is data by the way there. */
export function problemsOf({ diagnostics, files }: Pick<Compilation, 'diagnostics' | 'files'>): readonly string[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return locate(errors, sourcesOf(files)).map(
    (finding) => `${placeOf(finding)}${finding.diagnostic.code} ${finding.diagnostic.message}`,
  );
}

/** Advice on the problems that a failure tells, each once. */
export function adviceOn({ diagnostics }: Pick<Compilation, 'diagnostics'>): { readonly help?: string } {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').slice(0, MOST_TOLD);
  const all = errors.flatMap(({ fixes, help }) => [
    ...fixes.map(({ title }) => title),
    ...(help === undefined ? [] : [help]),
  ]);
  const help = [...new Set(all)].join('; ');
  return help === '' ? {} : { help };
}

export function told(problems: readonly string[]): string {
  const more = problems.length - MOST_TOLD;
  return problems.slice(0, MOST_TOLD).join('; ') + (more > 0 ? `; … ${more} more` : '');
}

function placeOf({ diagnostic, primary }: Located): string {
  if (primary.source !== STDIN) return `${primary.source}:${primary.start.line}:${primary.start.column} `;
  const route = printRoute(diagnostic.primary.route);
  return route === '' ? '' : `${route}: `;
}
