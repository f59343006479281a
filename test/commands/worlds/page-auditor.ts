import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/**
 * A program `auditor` that keeps to the command line of page auditors; it fails for addresses that end in `broken`, and
 * writes nothing for those that end in `silent`.
 */
export const world: MakeWorld = async ({ root }) => {
  const path = join(root, 'auditor');
  const text = `#!${process.execPath}
const [url, ...args] = process.argv.slice(2);
if (url.endsWith('broken')) { console.error('The page is broken'); process.exit(3); }
if (url.endsWith('silent')) process.exit(0);
if (url.endsWith('slow')) setTimeout(() => {}, 60000);
else {
  const file = args.find((each) => each.startsWith('--output-path=')).slice(14);
  require('node:fs').writeFileSync(file, JSON.stringify({ args, categories: { performance: { score: 0.5 }, 'best-practices': { score: 1 } } }));
}
`;
  await writeFile(path, text);
  await chmod(path, 0o755);
  return { settings: { gates: { shell: true } }, [Symbol.asyncDispose]: async () => undefined };
};
