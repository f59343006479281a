import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** Environment profiles: `staging.json` is fine, `list.json` is no object, `unset.json` asks for what is not there. */
export const world: MakeWorld = async ({ root }) => {
  await writeFile(
    join(root, 'staging.json'),
    '{"host": "staging.example.invalid", "retries": 3, "user": "${env:NOT_SET_HERE:-ada}"}',
  );
  await writeFile(join(root, 'list.json'), '["no", "object"]');
  await writeFile(join(root, 'unset.json'), '{"token": "${NOT_SET_HERE}"}');
  return { [Symbol.asyncDispose]: async () => undefined };
};
