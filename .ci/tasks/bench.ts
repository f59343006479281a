import { inOrder, node } from '../steps.ts';

/** `npm run bench [-- NAME…]`: builds, then measures against peers and floors in the same run. */
process.exitCode = await inOrder([
  { name: 'build', run: () => node('.ci/tasks/build.ts', []) },
  { name: 'bench', run: () => node('test/bench/main.ts', process.argv.slice(2)) },
]);
