import { inspect } from 'node:util';

import { createVitest, type TestCase, type TestModule } from 'vitest/node';

import type { Failed, Order } from './passes.ts';

/**
 * Runs tests of a copy of the project again and again in one process, which the parent tells what to run; the answer is
 * each test that failed. Each file and each test that begins is told too. Files are read and compiled once.
 */
const vitest = await createVitest('test', {
  config: 'test/vitest.config.ts',
  watch: false,
  maxWorkers: 1,
  testTimeout: 20_000,
  reporters: [
    {
      onTestModuleQueued: ({ relativeModuleId }) => begun({ file: relativeModuleId }),
      onTestCaseReady: (test) => begun(placeOf(test)),
      onTestCaseResult: (test) => ended(test),
    },
  ],
  passWithNoTests: true,
  setupFiles: ['test/runner/times.ts', 'test/runner/missing-programs.ts', 'test/mutation/asked.ts'],
});
/** Path of the file at work. */
let atWork = '';

/** Numbers of tests that failed late, by file, and the milliseconds that make them late. */
const late = new Map<string, number>();
const LATE = 10_000;
process.on('disconnect', () => process.exit());
process.on('message', (order: Order) => {
  // Without an answer the parent would wait its whole time: vitest lets a process live whose promise failed.
  failed(order).then(
    (names) => process.send?.(names),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.send?.('ready');

function begun(place: Failed): void {
  atWork = place.file;
  process.send?.(place);
}

/** Tells that a file is stuck of which two tests failed late: it may have a hundred that would. */
function ended(test: TestCase): void {
  const { state, errors } = test.result();
  const isLate = errors?.some(({ message }) => message.startsWith('Test timed out')) === true;
  if (state !== 'failed' || (!isLate && (test.diagnostic()?.duration ?? 0) < LATE)) return;
  const place = placeOf(test);
  const count = (late.get(place.file) ?? 0) + 1;
  late.set(place.file, count);
  if (count === 2) process.send?.({ ...place, isStuck: true } satisfies Failed);
}

async function failed({ files, tests, untilFirst = false }: Order): Promise<readonly Failed[]> {
  late.clear();
  for (const { config } of vitest.projects) config.bail = Number(untilFirst);
  vitest.resetGlobalTestNamePattern();
  const pattern = tests && patternOf(tests);
  if (pattern) vitest.setGlobalTestNamePattern(pattern);
  const all = await vitest.globTestSpecifications([...files]);
  const specifications = all.filter(({ moduleId }) => files.some((file) => moduleId.endsWith(file)));
  for (const known of [vitest.state.errorsSet, vitest.state.idMap, vitest.state.filesMap]) known.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  for (const error of unhandledErrors) console.error(inspect(error).slice(0, 200));
  const failures = testModules.flatMap((module) => {
    const tests = [...module.children.allTests('failed')].map(placeOf);
    return tests.length > 0 || module.state() !== 'failed' ? tests : [{ file: module.relativeModuleId }];
  });
  // A worker that died, for want of memory for one, leaves out the files behind.
  const hasEnded = testModules.length === specifications.length && testModules.every(isDone);
  return hasEnded ? failures : [...failures, { file: atWork, isStuck: true }];
}

function isDone(module: TestModule): boolean {
  return ['passed', 'failed', 'skipped'].includes(module.state());
}

function placeOf({ module, fullName }: TestCase): Failed {
  return { file: module.relativeModuleId, test: fullName };
}

/** Length (UTF-16 units) of the longest pattern: engines refuse those that are much longer. */
const LONGEST_PATTERN = 20_000;

/**
 * Names that are told joined by ` > ` are looked for joined by a blank. Undefined where they are too many: all tests of
 * the files run.
 */
function patternOf(tests: readonly string[]): RegExp | undefined {
  const names = tests.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll(' > ', ' (?:> )?'));
  const source = `(?:^|\\s)(?:${names.join('|')})$`;
  return source.length > LONGEST_PATTERN ? undefined : new RegExp(source);
}
