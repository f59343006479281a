import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startSmbd } from '../../fixtures/smbd.ts';
import type { MakeWorld } from './world.ts';

/**
 * A server that demands encryption, with the share `share` that holds `in/report.csv`; `${ENV.SMB_…}` is the login for
 * it.
 */
export const world: MakeWorld = async ({ root }) => {
  const server = await startSmbd();
  await mkdir(join(server.root, 'in'));
  await writeFile(join(server.root, 'in', 'report.csv'), 'name;amount\npears;3\n');
  await mkdir(join(root, 'out', 'sub'), { recursive: true });
  await writeFile(join(root, 'out', 'a.txt'), 'a\n');
  await writeFile(join(root, 'out', 'sub', 'b.txt'), 'b\n');
  return {
    env: { SMB_PORT: String(server.port), SMB_USER: server.username, SMB_PASSWORD: server.password },
    settings: { gates: { private: true } },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
