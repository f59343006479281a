import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Keeps slow results by the content they were made of, in `.cache/generate`; raise a kind's version when its maker
 * changes.
 */
export class Cache {
  readonly #folder: string;

  constructor(root: string) {
    this.#folder = join(root, '.cache/generate');
  }

  async get(kind: string, input: string, make: () => string | Promise<string>): Promise<string> {
    const file = join(this.#folder, `${kind}-${createHash('sha256').update(input).digest('hex').slice(0, 32)}`);
    if (existsSync(file)) return readFileSync(file, 'utf8');
    const made = await make();
    mkdirSync(dirname(file), { recursive: true });
    const temporary = `${file}.${process.pid}.tmp`;
    writeFileSync(temporary, made);
    renameSync(temporary, file);
    return made;
  }
}
