import { createVitest } from 'vitest/node';

import type { Order } from './passes.ts';

/**
 * Runs tests of a copy of the project again and again in one process: the parent names files that changed and the tests
 * to run, and is told whether all pass. What did not change is read and compiled once.
 */
const vitest = await createVitest('test', {
  config: 'test/vitest.config.ts',
  watch: false,
  bail: 1,
  maxWorkers: 1,
  reporters: [{}],
  passWithNoTests: true,
});
process.on('disconnect', () => process.exit());
process.on('message', (order: Order) => {
  void runOf(order).then((isPassed) => process.send?.(isPassed));
});
process.send?.('ready');

async function runOf({ changed, files, pattern }: Order): Promise<boolean> {
  for (const file of changed) vitest.invalidateFile(file);
  vitest.resetGlobalTestNamePattern();
  if (pattern !== undefined) vitest.setGlobalTestNamePattern(pattern);
  const specifications = (await vitest.globTestSpecifications([...files])).filter(
    ({ moduleId }) =>
      !moduleId.endsWith('.slow.test.ts') || files.some((file) => file.includes('.slow') && moduleId.includes(file)),
  );
  if (specifications.length === 0) return true;
  // Failures of earlier runs would count for `bail`, and nothing would run.
  for (const known of [vitest.state.errorsSet, vitest.state.idMap, vitest.state.filesMap]) known.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  return unhandledErrors.length === 0 && testModules.every((module) => module.ok());
}
