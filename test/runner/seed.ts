import { execFileSync } from 'node:child_process';

/**
 * The seed of a run's order: random, but in CI told by the commit, so that the order that failed there comes again
 * wherever that commit is tested with `CI=true`. Undefined leaves the choice to vitest.
 */
export function orderSeed(root: string): number | undefined {
  if (!process.env['CI']) return undefined;
  try {
    return Number.parseInt(execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).slice(0, 7), 16);
  } catch {
    return undefined;
  }
}
