import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { rawTar } from '../files/archives/raw-tar.ts';
import type { MakeWorld } from './world.ts';

/**
 * `shop.tar` and `shop.tar.gz`, with a link; `plain.tar.gz`, the same without it; `evil.tar` and `link.tar`, whose
 * members would leave their folder; `note.txt.gz`, one compressed file; `shop.txt`, which is no archive.
 */
export const world: MakeWorld = async ({ root }) => {
  const plain = [
    { name: 'shop/', type: '5', mode: 0o755 },
    { name: 'shop/readme.txt', content: 'shop' },
    { name: 'shop/items/1.txt', content: 'pen' },
  ];
  const shop = rawTar([...plain, { name: 'shop/latest', type: '2', target: 'items/1.txt' }]);
  await writeFile(join(root, 'shop.tar'), shop);
  await writeFile(join(root, 'shop.tar.gz'), gzipSync(shop));
  await writeFile(join(root, 'plain.tar.gz'), gzipSync(rawTar(plain)));
  await writeFile(
    join(root, 'evil.tar'),
    rawTar([
      { name: 'good.txt', content: 'good' },
      { name: '../evil.txt', content: 'evil' },
    ]),
  );
  await writeFile(join(root, 'link.tar'), rawTar([{ name: 'way/out', type: '2', target: '../../outside' }]));
  await writeFile(join(root, 'note.txt.gz'), gzipSync('one note'));
  await writeFile(join(root, 'shop.txt'), 'no archive\n'.repeat(100));
  return { [Symbol.asyncDispose]: async () => undefined };
};
