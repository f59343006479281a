import type { PreparedRun } from './prepare.ts';

/** What a run would do, in order: files, and the steps of those of which only some run. */
export function listText({ parts }: PreparedRun, asJson: boolean): string {
  const files = parts.flatMap(({ selected }) =>
    selected.units.map((unit) => ({
      file: unit.source,
      ...(unit.name !== undefined && { name: unit.name }),
      selected: selected.chosen.has(unit.source),
      steps: unit.body.filter((node) => selected.steps?.(unit, node) ?? true).length,
      of: unit.body.length,
    })),
  );
  if (asJson) return `${JSON.stringify(files, null, 2)}\n`;
  return files
    .map(
      ({ file, name, selected: own, steps, of }) =>
        `${file}${name === undefined ? '' : `  ${name}`}  ${steps === of ? '' : `${steps} of `}${of} ${of === 1 ? 'step' : 'steps'}${own ? '' : '  (needed by others)'}\n`,
    )
    .join('');
}
