import { checks, sameTree, tests, treeState } from '../checks.ts';
import { inOrder, node } from '../steps.ts';

/**
 * Tree before the checks that `.ci/run` asks for ahead of the tests: generated files as they are checked in,
 * types, lint, architecture, a build.
 */
const before = treeState();
process.exitCode = await inOrder([
  { name: 'generate', run: () => node('compiler/generate/main.ts', []) },
  ...checks,
  { name: 'what is checked in is what is generated', run: () => Promise.resolve(sameTree(before)) },
  { name: 'build', run: () => node('.ci/build/main.ts', []) },
  tests('architecture', ['test/architecture']),
  { name: 'sizes, for comparison only', run: () => node('test/architecture/sizes.ts', []) },
]);
