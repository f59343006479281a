import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

const files: Readonly<Record<string, string>> = {
  'login.json': '{"meta": {"tags": ["smoke"]}, "actions": [["WR_quit"]]}',
  'pay.yaml': 'meta: { tags: [smoke, shop], depends_on: [login] }\nactions: [[WR_quit]]\n',
  'slow.json': '{"meta": {"tags": ["smoke", "slow"]}, "actions": [["WR_quit"]]}',
  'list.json': '[["WR_quit"]]',
  'odd.json': '{"meta": {"depends_on": "login"}, "actions": [["WR_quit"]]}',
  'broken.json': '{"meta": ',
};

/** Action files in the folder `suite`, one of them broken. */
export const world: MakeWorld = async ({ root }) => {
  await mkdir(join(root, 'suite'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, 'suite', name), text);
  return { [Symbol.asyncDispose]: async () => undefined };
};
