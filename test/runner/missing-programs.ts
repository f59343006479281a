import { beforeEach, type TestContext } from 'vitest';

import { packageOf, isMissing } from '../fixtures/programs.ts';

/**
 * Skips a test that could not start a program which this machine lacks, with a line that names the package to install.
 * In CI nothing is skipped.
 */
beforeEach((context) => {
  // Hooks that run after a test are left out behind one that fails; this is not.
  if (!process.env['CI']) context.onTestFinished(skipWhatLacks);
});

function skipWhatLacks({ task, skip }: TestContext): void {
  if (task.result?.state !== 'fail') return;
  const program = task.result.errors?.map(programOf).find((name) => name !== undefined);
  if (program === undefined) return;
  const line = `no ${program}: install the package ${packageOf(program)}`;
  console.warn(`${task.fullName}: ${line}`);
  try {
    skip(line);
  } catch {
    // It ends a test from within; this one has ended.
  }
}

/** Messages of Node, a host and `FA_run_shell` about a program that is not there. */
const words = [
  /^spawn(?:Sync)? (\S+) ENOENT$/,
  /^ENOENT: no such program, '(\S+)'$/,
  /^The program "(\S+)" cannot be started: ENOENT\.$/,
];

/** The missing program that an error or one of its causes tells of. */
function programOf(error: { readonly message: string; readonly cause?: unknown }): string | undefined {
  const name = words.map((word) => word.exec(error.message)?.[1]).find((found) => found !== undefined);
  if (name !== undefined && packageOf(name) !== undefined && isMissing(name)) return name;
  const { cause } = error;
  return cause instanceof Object && 'message' in cause && typeof cause.message === 'string'
    ? programOf({ message: cause.message, ...('cause' in cause && { cause: cause.cause }) })
    : undefined;
}
