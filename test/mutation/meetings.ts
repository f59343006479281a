import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The changes that each test of a file meets, as it tells them itself. */
export interface FileAsked {
  /** Path below the project. */
  readonly file: string;
  /** Name of its text: a file of another text is asked anew. */
  readonly digest: string;
  /** Seconds. */
  readonly duration: number;
  /** Numbers that were met outside of tests: in hooks, while modules load. */
  readonly outside: readonly number[];
  readonly tests: Readonly<Record<string, readonly number[]>>;
}

/** Tests of one file that meet a change. */
export interface Meeting {
  readonly file: string;
  /** Full names; all tests of the file when a hook meets the change. */
  readonly tests: readonly string[];
  readonly names: ReadonlySet<string>;
  /** Seconds that these tests took, as far as the time of the whole file tells. */
  readonly duration: number;
}

/** Tests that meet each change, as files told it whose text is still the same. */
export class Meetings {
  readonly #told = new Map<string, FileAsked>();

  constructor(place: string, root: string) {
    if (!existsSync(place)) return;
    for (const line of readFileSync(place, 'utf8').split('\n').filter(Boolean)) {
      const told = JSON.parse(line) as FileAsked;
      const file = path.join(root, told.file);
      if (existsSync(file) && digestOf(file) === told.digest) this.#told.set(told.file, told);
    }
  }

  has(file: string): boolean {
    return this.#told.has(file);
  }

  /** Files whose tests meet one of these numbers: those that name the module first, then the quick ones. */
  with(numbers: readonly number[], module: string): readonly Meeting[] {
    const meets = (asked: readonly number[]): boolean => asked.some((one) => numbers.includes(one));
    const words = module.replace(/\.ts$/, '').split('/').slice(-3);
    const isNear = (file: string): boolean => words.some((word) => path.basename(file).includes(word));
    return [...this.#told.values()]
      .map(({ file, duration, outside, tests }) => {
        const all = Object.keys(tests);
        const met = meets(outside) ? all : all.filter((name) => meets(tests[name] ?? []));
        const share = met.length / Math.max(1, all.length);
        return { file, duration: duration * share, tests: met, names: new Set(met) };
      })
      .filter(({ tests }) => tests.length > 0)
      .toSorted((a, b) => Number(isNear(b.file)) - Number(isNear(a.file)) || a.duration - b.duration);
  }
}

/** Name for what tests told of these changes: other changes and other code have another. */
export function nameOf(root: string, changes: readonly { readonly file: string; readonly key: string }[]): string {
  const hash = createHash('sha256');
  for (const { file, key } of changes) hash.update(key).update(readFileSync(path.join(root, file)));
  return hash.digest('hex').slice(0, 12);
}

/** Short name of the text of a file. */
export function digestOf(place: string): string {
  return createHash('sha256').update(readFileSync(place)).digest('hex').slice(0, 12);
}
