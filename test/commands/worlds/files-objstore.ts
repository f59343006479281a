import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startFauxqs } from 'fauxqs';

import type { MakeWorld } from './world.ts';

/** An object store at `${ENV.STORE_URL}` with the bucket `reports`. */
export const world: MakeWorld = async ({ root }) => {
  const server = await startFauxqs({ port: 0, logger: false, init: { buckets: ['reports'] } });
  await mkdir(join(root, 'out', 'sub'), { recursive: true });
  await writeFile(join(root, 'out', 'a.txt'), 'a\n');
  await writeFile(join(root, 'out', 'sub', 'b.txt'), 'b\n');
  return {
    env: { STORE_URL: `http://127.0.0.1:${server.port}` },
    settings: { gates: { private: true } },
    [Symbol.asyncDispose]: () => server.stop(),
  };
};
