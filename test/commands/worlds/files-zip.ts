import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
  TextReader,
  Uint8ArrayWriter,
  ZipWriter,
  configure,
  type ZipWriterAddDataOptions,
} from '@zip.js/zip.js/lib/zip-core-custom.js';

import type { MakeWorld } from './world.ts';

/** `shop.zip`; `secret.zip`, opened by "open sesame"; `evil.zip` with a member that would leave its folder. */
export const world: MakeWorld = async ({ root }) => {
  await pack(join(root, 'shop.zip'), { 'readme.txt': 'shop', 'items/1.txt': 'pen', 'items/2.txt': 'ink' });
  await pack(join(root, 'secret.zip'), { 'secret.txt': 'under the stone' }, { password: 'open sesame' });
  await pack(join(root, 'evil.zip'), { 'good.txt': 'good', '../evil.txt': 'evil' });
  return { [Symbol.asyncDispose]: async () => undefined };
};

export async function pack(
  path: string,
  members: Readonly<Record<string, string>>,
  options: ZipWriterAddDataOptions = {},
): Promise<void> {
  configure({ useWebWorkers: false });
  const writer = new ZipWriter(new Uint8ArrayWriter());
  for (const [name, content] of Object.entries(members))
    await writer.add(name, new TextReader(content), { lastModDate: new Date(1_600_000_000_000), ...options });
  await writeFile(path, await writer.close());
}
