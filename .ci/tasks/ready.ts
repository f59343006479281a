import { execFileSync } from 'node:child_process';

import { checks, tests } from '../checks.ts';
import { inOrder, node, root } from '../steps.ts';

/** `npm run ready`: everything to look at before a change is handed in, except the slow tests; ends with a clean tree. */
const before = changes();
process.exitCode = await inOrder([
  { name: 'generate', run: () => node('compiler/generate/main.ts', []) },
  ...checks,
  { name: 'build', run: () => node('.ci/build/main.ts', []) },
  tests('tests', ['--exclude', '**/*.slow.test.ts']),
  { name: 'nothing but your own changes in the tree', run: () => Promise.resolve(sameAs(before)) },
]);

function changes(): string {
  return execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
}

function sameAs(earlier: string): number {
  const now = changes();
  if (now === earlier) return 0;
  process.stderr.write(`The checks changed files. Look at them and commit what should stay:\n${now}`);
  return 1;
}
