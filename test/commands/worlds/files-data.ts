import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** Three orders as `orders.jsonl` and `orders.csv`; `broken.jsonl` and `wide.csv`, which no reader takes. */
export const world: MakeWorld = async ({ root }) => {
  await writeFile(
    join(root, 'orders.jsonl'),
    '{"item": "pen", "count": 2}\n{"item": "ink", "count": 1}\n{"item": "pen", "count": 5}\n',
  );
  await writeFile(join(root, 'orders.csv'), 'item,count,note\r\npen,2,\r\nink,1,"blue, dark"\r\npen,5,\r\n');
  await writeFile(join(root, 'broken.jsonl'), '{"item": "pen"}\n{"item": \n');
  await writeFile(join(root, 'wide.csv'), 'item,count\npen,2,3\n');
  return { [Symbol.asyncDispose]: async () => undefined };
};
