import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** `service.yaml` with comments, and `broken.yaml`, whose list is not closed. */
export const world: MakeWorld = async ({ root }) => {
  await writeFile(
    join(root, 'service.yaml'),
    '# our service\nservice:\n  replicas: 2 # small\n  ports:\n    - 8080\n    - 8443\n',
  );
  await writeFile(join(root, 'broken.yaml'), 'a: [1\n');
  return { [Symbol.asyncDispose]: async () => undefined };
};
