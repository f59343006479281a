import { checks, sameTree, tests, treeState } from '../checks.ts';
import { inOrder, node } from '../steps.ts';

/**
 * `npm run ready`: everything to look at before a change is handed in, except the slow tests; ends with a clean tree.
 */
const before = treeState();
process.exitCode = await inOrder([
  { name: 'generate', run: () => node('compiler/generate/main.ts', []) },
  ...checks,
  { name: 'build', run: () => node('.ci/build/main.ts', []) },
  tests('tests', ['--exclude', '**/*.slow.test.ts']),
  { name: 'sizes, for comparison only', run: () => node('test/architecture/sizes.ts', []) },
  { name: 'nothing but your own changes in the tree', run: () => Promise.resolve(sameTree(before)) },
]);
