import { afterEach } from 'vitest';

import { packageOf, isMissing } from '../fixtures/programs.ts';

/**
 * Skips a test that could not start a program which this machine lacks, with a line that names the package to install. In CI
 * nothing is skipped.
 */
afterEach(({ task, skip }) => {
  if (process.env['CI'] || task.result?.state !== 'fail') return;
  const program = task.result.errors?.map(programOf).find((name) => name !== undefined);
  if (program === undefined) return;
  const line = `no ${program}: install the package ${packageOf(program)}`;
  console.warn(`${task.fullName}: ${line}`);
  try {
    skip(line);
  } catch {
    // It ends a test from within; this one has ended.
  }
});

/** The missing program that an error or one of its causes tells of. */
function programOf(error: { readonly message: string; readonly cause?: unknown }): string | undefined {
  const [, name] = /^spawn(?:Sync)? (\S+) ENOENT$/.exec(error.message) ?? [];
  if (name !== undefined && packageOf(name) !== undefined && isMissing(name)) return name;
  const { cause } = error;
  return cause instanceof Object && 'message' in cause && typeof cause.message === 'string'
    ? programOf({ message: cause.message, ...('cause' in cause && { cause: cause.cause }) })
    : undefined;
}
