import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { mutantsOf, type Mutant } from './mutants.ts';

/** A change of one place in the project. */
export interface Placed extends Mutant {
  /** Path below the project. */
  readonly file: string;
  /** Text for people, by which the journal knows it. */
  readonly key: string;
  /** Order of choice. */
  readonly rank: string;
}

interface Choice {
  readonly count: number;
  readonly seed: string;
  /** Files by a part of their paths. */
  readonly only: RegExp;
}

/** So many changes, the same for the same seed: other code elsewhere leaves the choice as it is. */
export function sampleOf(root: string, { count, seed, only }: Choice): readonly Placed[] {
  return globSync(['stdlib/**/*.ts', 'runtime/kernel/**/*.ts'], { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => only.test(file) && !file.endsWith('.d.ts'))
    .toSorted()
    .flatMap((file) => placed(root, file, seed))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count);
}

function placed(root: string, file: string, seed: string): readonly Placed[] {
  const source = readFileSync(path.join(root, file), 'utf8');
  const counts = new Map<string, number>();
  return mutantsOf(source).map((mutant) => {
    const { kind, text, start, end } = mutant;
    const original = source.slice(start, end);
    const like = JSON.stringify([kind, original, text]);
    // Among changes of the file that read alike.
    const occurrence = counts.get(like) ?? 0;
    counts.set(like, occurrence + 1);
    const line = source.slice(0, start).split('\n').length;
    return {
      ...mutant,
      file,
      key: `${file}:${line} ${kind}: ${oneLine(original)} -> ${oneLine(text)}`,
      rank: createHash('sha256')
        .update(JSON.stringify([seed, file, kind, original, text, occurrence]))
        .digest('hex'),
    };
  });
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 80);
}
