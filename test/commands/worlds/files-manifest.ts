import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** Manifests of the folder `pictures` of `files-tree`: `good.json` fits it, `stale.json` does not. */
export const world: MakeWorld = async ({ root }) => {
  const entry = (content: string): object => ({
    size: content.length,
    checksum: createHash('sha256').update(content).digest('hex'),
  });
  const manifest = { version: 1, algorithm: 'sha256', root: '/elsewhere', created_at: '2024-05-01T00:00:00+00:00' };
  const files = { '1.png': entry('one'), '2.png': entry('two'), 'old/10.png': entry('ten') };
  await writeFile(join(root, 'good.json'), JSON.stringify({ ...manifest, files }));
  await writeFile(
    join(root, 'stale.json'),
    JSON.stringify({ ...manifest, files: { ...files, '1.png': entry('won'), 'gone.png': entry('') } }),
  );
  return { [Symbol.asyncDispose]: async () => undefined };
};
