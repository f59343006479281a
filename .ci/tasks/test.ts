import { node, tool } from '../steps.ts';

/**
 * `npm test [-- FILTER…]`: brings generated files up to date, then runs the tests; what follows `--` goes to vitest, so
 * `npm test -- grammar` narrows by file name and `--exclude '**\/*.slow.test.ts'` leaves the slow ones out.
 */
const told = process.argv.slice(2);
// With a `--` of its own vitest takes no filter, and runs everything.
if (told[0] === '--') told.shift();
const generated = await node('compiler/generate/main.ts', []);
process.exitCode =
  generated || (await tool('vitest/vitest.mjs', ['run', '--config', 'test/vitest.config.ts', ...told]));
