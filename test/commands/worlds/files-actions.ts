import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** Two action files that work and one that does not check. */
export const world: MakeWorld = async ({ root }) => {
  await writeFile(
    join(root, 'first.yaml'),
    '- FA_create_dir: { dir_path: out }\n- FA_create_file: { file_path: out/a.txt, content: a }\n',
  );
  await writeFile(
    join(root, 'second.json'),
    JSON.stringify({ actions: [['FA_file_checksum', { path: 'out/a.txt', algorithm: 'md5' }]] }),
  );
  await writeFile(join(root, 'wrong.yaml'), '- FA_create_dri: { dir_path: out }\n');
  return { [Symbol.asyncDispose]: async () => undefined };
};
