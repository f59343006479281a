import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Name of the function that the code of a copy asks whether a change is chosen. */
export const SWITCH = 'isMutant';

/** Files by which the tests of a copy and the programs that they start know of each other. */
export interface Shared {
  /** Numbers of the chosen changes, one a line. */
  readonly chosen: string;
  /** Numbers that programs asked for, one a line. */
  readonly asked: string;
  /** There while tests run to tell what they meet; holds the path of the file in which they tell it. */
  readonly told: string;
}

declare global {
  /** Numbers that this process asked for; absent in programs that tests start. */
  var askedOfMutants: Set<number> | undefined;
}

export function sharedBelow(folder: string): Shared {
  return {
    chosen: path.join(folder, '.mutant'),
    asked: path.join(folder, '.mutants-asked'),
    told: path.join(folder, '.mutants-told'),
  };
}

/** Sets up the function that the copy's code asks whether a change is chosen; it notes that it was asked. */
export function setUp(folder: string): void {
  const { chosen, asked } = sharedBelow(folder);
  const numbers = new Set(existsSync(chosen) ? readFileSync(chosen, 'utf8').split('\n').map(Number) : []);
  const told = new Set<number>();
  Object.assign(globalThis, {
    [SWITCH](one: number): boolean {
      const own = globalThis.askedOfMutants;
      if (own) own.add(one);
      else if (numbers.size === 0 && !told.has(one)) {
        told.add(one);
        appendFileSync(asked, `${one}\n`);
      }
      return numbers.has(one);
    },
  });
}
