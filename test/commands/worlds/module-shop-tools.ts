import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/**
 * Modules beside the action file, `shop-tools.mjs` and `broken.mjs`, and an installed package, `shop-prices`, with its
 * subpath `vat`.
 */
export const world: MakeWorld = async ({ root }) => {
  const home = join(root, 'node_modules/shop-prices');
  await mkdir(home, { recursive: true });
  await writeFile(join(root, 'shop-tools.mjs'), 'export const order = ({ book }) => ({ book, total: book * 2 });\n');
  await writeFile(join(root, 'broken.mjs'), "throw new Error('no shop today');\n");
  await writeFile(
    join(home, 'package.json'),
    JSON.stringify({
      name: 'shop-prices',
      version: '1.2.0',
      type: 'module',
      exports: { '.': { import: './prices.js' }, './vat': './vat.js' },
    }),
  );
  await writeFile(join(home, 'prices.js'), 'export const price = (book) => book * 3;\n');
  await writeFile(join(home, 'vat.js'), 'export const gross = (net) => net * 1.25;\n');
  return { [Symbol.asyncDispose]: () => Promise.resolve() };
};
