import { printableLine } from '#grammar/source/printable.ts';

import type { PreparedRun } from './prepare.ts';

/** A file that a run would read, and how many of its steps would run. */
export interface ListedFile {
  readonly file: string;
  readonly name?: string;
  /** Named or selected; else others need it. */
  readonly selected: boolean;
  readonly steps: number;
  readonly of: number;
}

/** Files that a run would run, in order, with the steps of those of which only some run. */
export function listed({ parts }: PreparedRun): readonly ListedFile[] {
  return parts.flatMap(({ selected }) =>
    selected.units.map((unit) => ({
      file: unit.source,
      ...(unit.name !== undefined && { name: unit.name }),
      selected: selected.chosen.has(unit.source),
      steps: unit.body.filter((node) => selected.steps?.(unit, node) ?? true).length,
      of: unit.body.length,
    })),
  );
}

/** The same as people read it, a line a file. */
export function listText(files: readonly ListedFile[]): string {
  return files
    .map(
      ({ file, name, selected: own, steps, of }) =>
        `${printableLine(file)}${name === undefined ? '' : `  ${printableLine(name)}`}  ${steps === of ? '' : `${steps} of `}${of} ${of === 1 ? 'step' : 'steps'}${own ? '' : '  (needed by others)'}\n`,
    )
    .join('');
}
