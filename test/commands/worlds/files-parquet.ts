import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ByteWriter, parquetWrite } from 'hyparquet-writer';

import type { MakeWorld } from './world.ts';

/** `orders.parquet`: two rows with `item` and `count`. */
export const world: MakeWorld = async ({ root }) => {
  const writer = new ByteWriter();
  await parquetWrite({
    writer,
    columnData: [
      { name: 'item', data: ['pen', 'ink'], type: 'STRING' },
      { name: 'count', data: [3, 1], type: 'INT32' },
    ],
  });
  await writeFile(join(root, 'orders.parquet'), writer.getBytes());
  return { [Symbol.asyncDispose]: async () => undefined };
};
