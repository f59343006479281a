import type { Compilation } from '#compiler/api.ts';
import type { SealedPlan } from '#compiler/phases/6-plan/seal.ts';
import type { UnitOutcome } from '#runtime/kernel/events.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import * as because from '#runtime/kernel/reasons.ts';
import type { Host } from '#schemas/types/host.ts';
import type { SourceId } from '#schemas/types/place.ts';
import type { Unit } from '#schemas/types/plan.ts';

import type { RunPart, SelectedPart } from './part.ts';
import { programOfPlan } from '../program.ts';
import type { Project } from '../project.ts';
import { nothing } from './refused-run.ts';
import { select, type Selection } from './selection.ts';

/** Compiled action files as a part of a run: sound ones run, the others have failed before they began. */
export function sourcePart(compilation: Compilation, { root }: Pick<Project, 'root'>, settings: Settings): RunPart {
  const sound = compilation.files.filter(({ source, isUsed }) => !isUsed && !compilation.isBroken(source));
  const names = sound.map(({ source }) => source);
  const units = names.flatMap((source) => compilation.units(source).map(({ unit }) => unit));
  return {
    program: programOfPlan(compilation.seal(names), compilation.places(names), settings),
    units,
    listed: unitsOfFiles(
      units,
      sound.filter(({ isPulledIn }) => !isPulledIn).map(({ source }) => source),
    ),
    root,
    settings,
    absent: absentOf(compilation),
  };
}

/** The sources of the units that files are. */
export function unitsOfFiles(units: readonly Unit[], files: Iterable<SourceId>): ReadonlySet<SourceId> {
  const wanted = new Set(files);
  return new Set(units.filter(({ source, file = source }) => wanted.has(file)).map(({ source }) => source));
}

/** The file that a program was compiled from: dependencies come first. */
export function lastFile(units: readonly Unit[]): readonly SourceId[] {
  const own = units.at(-1);
  return own ? [own.file ?? own.source] : [];
}

/** A sealed plan as a part of a run: all its units were asked for. */
export function planPart(sealed: SealedPlan, { root }: Pick<Project, 'root'>, settings: Settings): RunPart {
  const { units } = sealed.plan;
  const listed = new Set(units.map(({ source }) => source));
  return { program: programOfPlan(sealed, {}, settings), units, listed, root, settings, absent: [] };
}

/** The parts of which something was selected, or has failed already. */
export function selectParts(parts: readonly RunPart[], selection: Selection, host: Host): readonly SelectedPart[] {
  const sha1 = sha1Of(host);
  return parts
    .map((part): SelectedPart => ({ ...part, selected: select(part.units, part.listed, selection, sha1) }))
    .filter((part) => part.selected.chosen.size > 0 || part.absent.length > 0);
}

/** Whether only some steps of some files run: what passes then says nothing of a whole file. */
export function isPartial(parts: readonly SelectedPart[]): boolean {
  return parts.some((part) => part.selected.steps !== undefined);
}

/** Files with errors have failed before they began; what depends on them is skipped. */
export function absentOf({ files, diagnostics, isBroken }: Compilation): readonly UnitOutcome[] {
  const wrong = new Set(
    diagnostics.filter(({ severity }) => severity === 'error').map(({ primary }) => primary.source),
  );
  return files
    .filter(({ source }) => isBroken(source))
    .map(({ source, after }): UnitOutcome => {
      const bad: SourceId | undefined = after.find((each) => isBroken(each));
      if (wrong.has(source) || bad === undefined)
        return { file: source, status: 'failed', reason: because.errors, counts: nothing, duration_ms: 0 };
      return {
        file: source,
        status: 'skipped',
        reason: because.file(bad, wrong.has(bad) ? 'failed' : 'skipped'),
        counts: nothing,
        duration_ms: 0,
      };
    });
}

function sha1Of(host: Host): (text: string) => string {
  return (text) => {
    const digest = host.digest('sha1');
    if (!digest) throw new Error('this platform has no SHA-1');
    digest.update(new TextEncoder().encode(text));
    return digest.hex();
  };
}
