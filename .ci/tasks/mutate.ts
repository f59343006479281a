import { inOrder, node } from '../steps.ts';

/**
 * `node .ci/bootstrap.cjs mutate [--sample N] [--seed S] [--only REGEX]`: says what share of small changes to the code
 * the tests notice.
 */
process.exitCode = await inOrder([
  { name: 'generate', run: () => node('compiler/generate/main.ts', []) },
  { name: 'mutate', run: () => node('test/mutation/main.ts', process.argv.slice(2)) },
]);
