import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeContainer } from '../../fixtures/azure-container.ts';
import { startAzurite } from '../../fixtures/azurite.ts';
import type { MakeWorld } from './world.ts';

/** A blob store with the container `reports`; `${ENV.BLOBS}` is its connection string. */
export const world: MakeWorld = async ({ root }) => {
  const server = await startAzurite();
  await makeContainer(server.connectionString(), 'reports');
  await mkdir(join(root, 'out', 'sub'), { recursive: true });
  await writeFile(join(root, 'out', 'a.txt'), 'a\n');
  await writeFile(join(root, 'out', 'sub', 'b.txt'), 'b\n');
  return {
    env: { BLOBS: server.connectionString() },
    settings: { gates: { private: true } },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
