import type { Compilation } from '#compiler/api.ts';
import { STDIN } from '#compiler/phases/4-resolve/files.ts';
import { locate, type Located } from '#compiler/report/locate.ts';
import { printRoute } from '#grammar/document/route.ts';

import { sourcesOf } from '../sources-of.ts';

/** Problems that a failure tells; the rest only counts. */
const MOST_TOLD = 10;

/** Problems that a failure holds; a list of a megabyte may have half a million. */
export const MOST_KEPT = 100;

/** Errors of each file that the compiler keeps for those: enough that the first ones by place are among them. */
export const MOST_FOUND = 10 * MOST_KEPT;

/** Errors in lines. */
export interface Problems {
  /** The first ones by place, a line each. */
  readonly lines: readonly string[];
  /** Number of all. */
  readonly count: number;
}

/**
 * Errors in lines, each with its place: in a file by line and column, in a list that is data by the way there. At most
 * `most` lines.
 */
export function problemsOf(
  { diagnostics, files, leftOut }: Pick<Compilation, 'diagnostics' | 'files' | 'leftOut'>,
  most = MOST_KEPT,
): Problems {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const located = locate(errors, sourcesOf(files));
  const lines = located
    .slice(0, most)
    .map((finding) => `${placeOf(finding)}${finding.diagnostic.code} ${finding.diagnostic.message}`);
  return { lines, count: located.length + leftOut.errors };
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

export function told({ lines, count }: Problems): string {
  const more = count - MOST_TOLD;
  return lines.slice(0, MOST_TOLD).join('; ') + (more > 0 ? `; … ${more} more` : '');
}

function placeOf({ diagnostic, primary }: Located): string {
  if (primary.source !== STDIN) return `${primary.source}:${primary.start.line}:${primary.start.column} `;
  const route = printRoute(diagnostic.primary.route);
  return route === '' ? '' : `${route}: `;
}
