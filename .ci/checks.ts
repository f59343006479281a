import type { Step } from './steps.ts';
import { node, tool } from './steps.ts';

/** The static checks, in the order in which their findings help most. */
export const checks: readonly Step[] = [
  { name: 'generated files are current', run: () => node('compiler/generate/main.ts', ['--check']) },
  { name: 'typecheck', run: () => tool('typescript/bin/tsc', ['-p', '.']) },
  { name: 'lint', run: () => tool('oxlint/bin/oxlint', ['--config', 'test/architecture/oxlint.json', '--type-aware', '--deny-warnings']) },
];

/** Runs vitest over all tests, or those that the arguments select. */
export function tests(name: string, args: readonly string[]): Step {
  return { name, run: () => tool('vitest/vitest.mjs', ['run', '--config', 'test/vitest.config.ts', ...args]) };
}
