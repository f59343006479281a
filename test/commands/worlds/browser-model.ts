import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** `model.mjs`: functions that answer as a language model would, and a page. */
export const world: MakeWorld = async ({ root }) => {
  const path = join(root, 'model.mjs');
  await writeFile(
    path,
    `export const answer = () => 'Here: [["WR_to_url", {"url": "https://127.0.0.1/"}]]';
export const locate = async () => '{"strategy": "id", "value": "go"}';
export const page = () => '<button id=go>Go</button>';
`,
  );
  return { settings: { gates: { packages: true } }, [Symbol.asyncDispose]: () => rm(path) };
};
