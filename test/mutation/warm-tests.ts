import { inspect } from 'node:util';

import { createVitest, type TestCase } from 'vitest/node';

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
      onTestModuleQueued: ({ relativeModuleId }) => void process.send?.({ file: relativeModuleId }),
      onTestCaseReady: (test) => void process.send?.(placeOf(test)),
    },
  ],
  passWithNoTests: true,
  setupFiles: ['test/runner/times.ts', 'test/runner/missing-programs.ts', 'test/mutation/asked.ts'],
});
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

async function failed({ files, tests }: Order): Promise<readonly Failed[]> {
  vitest.resetGlobalTestNamePattern();
  if (tests !== undefined) vitest.setGlobalTestNamePattern(patternOf(tests));
  const all = await vitest.globTestSpecifications([...files]);
  const specifications = all.filter(({ moduleId }) => files.some((file) => moduleId.endsWith(file)));
  for (const known of [vitest.state.errorsSet, vitest.state.idMap, vitest.state.filesMap]) known.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  for (const error of unhandledErrors) console.error(inspect(error).slice(0, 200));
  return testModules.flatMap((module) => {
    const file = module.relativeModuleId;
    const tests = [...module.children.allTests('failed')].map(placeOf);
    return tests.length > 0 || module.ok() ? tests : [{ file }];
  });
}

function placeOf({ module, fullName }: TestCase): Failed {
  return { file: module.relativeModuleId, test: fullName };
}

/** Names that are told joined by ` > ` are looked for joined by a blank. */
function patternOf(tests: readonly string[]): RegExp {
  const names = tests.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll(' > ', ' (?:> )?'));
  return new RegExp(`(?:^|\\s)(?:${names.join('|')})$`);
}
