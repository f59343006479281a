import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { chromium } from '../../fixtures/chromium.ts';
import type { MakeWorld } from './world.ts';

/** The folder `extension` holds an unpacked browser extension. */
export const world: MakeWorld = async ({ root }) => {
  await mkdir(join(root, 'extension'), { recursive: true });
  await writeFile(
    join(root, 'extension', 'manifest.json'),
    JSON.stringify({ manifest_version: 3, name: 'example', version: '1.0' }),
  );
  return { settings: chromium.settings, [Symbol.asyncDispose]: () => Promise.resolve() };
};
