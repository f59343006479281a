import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startRcloneWebdav } from '../../fixtures/rclone-webdav.ts';
import type { MakeWorld } from './world.ts';

/** A server at `${ENV.DAV_URL}` that holds `in/report.csv`, and the login for it. */
export const world: MakeWorld = async ({ root }) => {
  const server = await startRcloneWebdav();
  await mkdir(join(server.root, 'in'));
  await writeFile(join(server.root, 'in', 'report.csv'), 'name;amount\npears;3\n\n');
  await mkdir(join(root, 'out', 'sub'), { recursive: true });
  await writeFile(join(root, 'out', 'a.txt'), 'a\n');
  await writeFile(join(root, 'out', 'sub', 'b.txt'), 'b\n');
  return {
    env: {
      DAV_URL: `http://127.0.0.1:${server.port}/dav`,
      DAV_USER: server.username,
      DAV_PASSWORD: server.password,
    },
    settings: { gates: { private: true } },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
