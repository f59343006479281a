import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { FileAsked } from './asked.ts';

/** Tests of one file that meet a change. */
export interface Meeting {
  readonly file: string;
  /** Full names; all tests of the file when a hook meets it. */
  readonly tests: readonly string[] | undefined;
  /** Seconds that these tests took, as far as the time of the whole file tells. */
  readonly duration: number;
}

/** Seconds of tests for one change: those of the files that are nearest and quickest answer for it. */
const ENOUGH = 45;

/** Which tests meet which change, as test files told it one after the other. */
export class Meetings {
  readonly #told = new Map<string, FileAsked>();

  constructor(place: string) {
    if (!existsSync(place)) return;
    for (const line of readFileSync(place, 'utf8').split('\n').filter(Boolean)) {
      const told = JSON.parse(line) as FileAsked;
      this.#told.set(told.file, told);
    }
  }

  has(file: string): boolean {
    return this.#told.has(file);
  }

  /** Files whose tests meet one of these numbers: those that name the module first, then the quick ones. */
  with(numbers: readonly number[], module: string): readonly Meeting[] {
    const sought = new Set(numbers);
    const meets = (asked: readonly number[]): boolean => asked.some((one) => sought.has(one));
    const words = module.replace(/\.ts$/, '').split('/').slice(-3);
    const isNear = (file: string): boolean => words.some((word) => path.basename(file).includes(word));
    let total = 0;
    return [...this.#told.values()]
      .map(({ file, duration, outside, tests }) => {
        const names = Object.keys(tests).filter((name) => meets(tests[name] ?? []));
        if (meets(outside)) return { file, duration, tests: undefined };
        return { file, duration: (duration * names.length) / Math.max(1, Object.keys(tests).length), tests: names };
      })
      .filter(({ tests }) => tests === undefined || tests.length > 0)
      .toSorted((a, b) => Number(isNear(b.file)) - Number(isNear(a.file)) || a.duration - b.duration)
      .filter(({ duration }, index) => (total += duration) <= ENOUGH || index < 2);
  }
}

/** Name for what tests told of these changes: other changes and other code have another. */
export function nameOf(root: string, changes: readonly { readonly file: string; readonly key: string }[]): string {
  const hash = createHash('sha256');
  for (const { file, key } of changes) hash.update(key).update(readFileSync(path.join(root, file)));
  return hash.digest('hex').slice(0, 12);
}
