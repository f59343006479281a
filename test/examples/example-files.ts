import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { isMissing } from '../fixtures/programs.ts';

import { root } from '../built.ts';

/** Action files below `examples/`, by path from the root: files that call a command. */
export const exampleFiles: readonly string[] = readdirSync(join(root, 'examples'), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((name) => /\.(?:ya?ml|json)$/.test(name) && !/svc\.config|\.mock\.|\.svc\/|dist\//.test(name))
  .map((name) => `examples/${name.replaceAll('\\', '/')}`)
  .toSorted();

/** The folder of the project that a file belongs to: the nearest one with a configuration, else the top. */
export function projectOf(file: string): string {
  const folder = file.slice(0, file.lastIndexOf('/'));
  return existsSync(join(root, folder, 'svc.config.yaml')) ? folder : '.';
}

/** Those that open a browser. */
export function needsBrowser(file: string): boolean {
  return /\bWR_(?:pw_launch|new_driver)\b/.test(readFileSync(join(root, file), 'utf8'));
}

/** Whether a run finds Chromium as it does for a user: by a variable, or on the path. */
export const hasBrowser: boolean =
  Boolean(process.env['CI']) || existsSync(process.env['CHROME_BIN'] ?? '') || !isMissing('chromium');
