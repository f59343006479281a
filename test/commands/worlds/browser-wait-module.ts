import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** `waits.mjs` beside the action file exports conditions. */
export const world: MakeWorld = async ({ root }) => {
  await writeFile(
    join(root, 'waits.mjs'),
    `
export async function shopIsOpen(driver) {
  return (await driver.getTitle()) === 'Corner shop';
}
export const opening = 'eight o clock';
`,
  );
  return { [Symbol.asyncDispose]: () => Promise.resolve() };
};
