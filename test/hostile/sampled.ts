import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

import { root } from '../built.ts';

/** Everything is run: it was asked for, or only some cases were. */
const isWhole = process.env['SVC_TEST_FULL'] === '1' || Boolean(process.env['FILTER']);

/** The commit tells which cases an ordinary run takes, so that what failed fails again; `SEED=7` tells others. */
const seed = process.env['SEED'] ?? commit();

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/** About so many (0 to 1) of the cases, in their order; all of them with `SVC_TEST_FULL=1` or `FILTER`. */
export function sampled<Case>(cases: readonly Case[], share: number, nameOf: (one: Case) => string): readonly Case[] {
  return isWhole ? cases : cases.filter((one) => rank(nameOf(one)) < share);
}

/** So many of the cases; all of them as above. */
export function someOf<Case>(cases: readonly Case[], most: number, nameOf: (one: Case) => string): readonly Case[] {
  if (isWhole) return cases;
  const chosen = new Set(cases.toSorted((a, b) => rank(nameOf(a)) - rank(nameOf(b))).slice(0, most));
  return cases.filter((one) => chosen.has(one));
}

/** A number between 0 and 1, always the same for a name and a seed. */
function rank(name: string): number {
  return createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() / 2 ** 32;
}
