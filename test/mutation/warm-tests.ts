import { createVitest } from 'vitest/node';

import type { Order } from './passes.ts';

/**
 * Runs tests of a copy of the project again and again in one process, which the parent tells what to run; the answer is
 * the full name of each test that failed, or of the file that did. Files are read and compiled once.
 */
const vitest = await createVitest('test', {
  config: 'test/vitest.config.ts',
  watch: false,
  maxWorkers: 1,
  reporters: [{}],
  passWithNoTests: true,
  setupFiles: ['test/runner/times.ts', 'test/runner/missing-programs.ts', 'test/mutation/asked.ts'],
});
process.on('disconnect', () => process.exit());
process.on('message', (order: Order) => {
  void failed(order).then((names) => process.send?.(names));
});
process.send?.('ready');

async function failed({ files, tests, isFirstEnough }: Order): Promise<readonly string[]> {
  vitest.config.bail = isFirstEnough ? 1 : 0;
  vitest.resetGlobalTestNamePattern();
  if (tests !== undefined) vitest.setGlobalTestNamePattern(patternOf(tests));
  const all = await vitest.globTestSpecifications([...files]);
  const specifications = all.filter(({ moduleId }) => files.some((file) => moduleId.endsWith(file)));
  // Failures of earlier runs would count for `bail`, and nothing would run.
  for (const known of [vitest.state.errorsSet, vitest.state.idMap, vitest.state.filesMap]) known.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  return [
    ...testModules.flatMap((module) => [
      ...[...module.children.allTests('failed')].map(({ fullName }) => fullName),
      ...(module.ok() || [...module.children.allTests('failed')].length > 0 ? [] : [module.relativeModuleId]),
    ]),
    ...unhandledErrors.map(String),
  ];
}

/** Names that are told joined by ` > ` are looked for joined by a blank. */
function patternOf(tests: readonly string[]): RegExp {
  const names = tests.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll(' > ', ' (?:> )?'));
  return new RegExp(`(?:^|\\s)(?:${names.join('|')})$`);
}
