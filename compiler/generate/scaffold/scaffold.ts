import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Output of a scaffold: whole texts of files by path from the root, and what its author does next. */
export interface Scaffold {
  readonly files: readonly (readonly [file: string, text: string])[];
  readonly next: readonly string[];
}

/** The words that were given do not name something new. */
export class WrongUse extends Error {}

export function readIfThere(root: string, file: string): string | undefined {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

export function write(root: string, { files }: Scaffold): void {
  for (const [file, text] of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}

/** The first free code behind the last one that a message file uses. */
export function nextCode(messages: string, first: string): string {
  const used = [...messages.matchAll(/^## SVC(\d{5}) /gm)].map(([, code]) => Number(code));
  return `SVC${Math.max(Number(first.slice(3)) - 1, ...used) + 1}`;
}
