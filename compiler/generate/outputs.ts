import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const folder = 'schemas/generated';

interface Output {
  readonly text: string;
  readonly checkedIn: boolean;
}

/** Output of a run of the generator: files below `schemas/generated`, by their path there. */
export class Outputs {
  readonly #files = new Map<string, Output>();
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** `checkedIn`: stands in the repository; else it is build output, made again by every build. */
  add(path: string, text: string, kind: 'checked-in' | 'built'): void {
    if (this.#files.has(path)) throw new Error(`two outputs are called ${path}`);
    this.#files.set(path, { text, checkedIn: kind === 'checked-in' });
  }

  /** A file beside `package.json`, which stands in the repository. */
  addAtTop(name: string, text: string): void {
    this.add(`../../${name}`, text, 'checked-in');
  }

  /**
   * Writes what differs and, unless told otherwise, removes what is made no more. Answers with the paths that changed.
   */
  write(options: { readonly keepStrays?: boolean } = {}): readonly string[] {
    const changed: string[] = [];
    for (const [path, { text }] of this.#files) {
      if (this.#current(path) === text) continue;
      writeAtomic(join(this.#root, folder, path), text);
      changed.push(path);
    }
    for (const path of options.keepStrays ? [] : this.#strays()) {
      rmSync(join(this.#root, folder, path));
      changed.push(path);
    }
    return changed;
  }

  /** Paths that are checked in and differ from what would be written, or that nothing makes. */
  stale(): readonly string[] {
    const differing = [...this.#files].filter(
      ([path, { text, checkedIn }]) => checkedIn && this.#current(path) !== text,
    );
    return [...differing.map(([path]) => path), ...this.#strays()];
  }

  #current(path: string): string | undefined {
    const file = join(this.#root, folder, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  #strays(): string[] {
    const top = join(this.#root, folder);
    if (!existsSync(top)) return [];
    const present = readdirSync(top, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !entry.name.endsWith('.tmp'))
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(top.length + 1)
          .replaceAll('\\', '/'),
      );
    return present.filter((path) => !this.#files.has(path));
  }
}

function writeAtomic(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}
