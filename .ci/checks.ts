import { execFileSync } from 'node:child_process';

import type { Step } from './steps.ts';
import { node, root, tool } from './steps.ts';

/** Runs the formatter over all sources: with `--check` it names those laid out in another way, else it writes them. */
export function format(args: readonly string[]): Promise<number> {
  const sources = ['**/*.ts', '**/*.cjs', '!schemas/generated/**', '!dist/**', '!**/_actual/**', '!**/expected/**'];
  return tool('oxfmt/bin/oxfmt', ['--config', 'test/architecture/oxfmt.json', ...args, ...sources]);
}

/** The static checks, in the order in which their findings help most. */
export const checks: readonly Step[] = [
  { name: 'generated files are current', run: () => node('compiler/generate/main.ts', ['--check']) },
  { name: 'format (mend with: npm run format)', run: () => format(['--check']) },
  { name: 'typecheck', run: () => tool('typescript/bin/tsc', ['-p', '.']) },
  {
    name: 'lint',
    run: () =>
      tool('oxlint/bin/oxlint', [
        '--config',
        'test/architecture/oxlint.json',
        '--type-aware',
        '--deny-warnings',
        '--ignore-pattern',
        'test/**/*.{mjs,cjs,js}',
        '--ignore-pattern',
        'schemas/generated/**',
      ]),
  },
];

/** Runs vitest over all tests, or those that the arguments select. */
export function tests(name: string, args: readonly string[]): Step {
  return { name, run: () => tool('vitest/vitest.mjs', ['run', '--config', 'test/vitest.config.ts', ...args]) };
}

/** Changes that git sees, for `sameTree`. */
export function treeState(): string {
  return execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
}

/** Fails when the tree is not as it was: a check or a generator has changed files that are checked in. */
export function sameTree(before: string): number {
  const now = treeState();
  if (now === before) return 0;
  process.stderr.write(`Files have changed on the way. Look at them and commit what should stay:\n${now}`);
  return 1;
}
