import type { UnitOutcome } from '#runtime/kernel/events.ts';
import type { RunOptions } from '#runtime/kernel/options.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import type { Program } from '#runtime/kernel/program.ts';
import type { Unit } from '#schemas/types/plan.ts';

import type { Selected } from './selection.ts';

/** Work of one kernel: the action files of a command line together, or one compiled program. */
export interface RunPart {
  /** Program with all its units; those that were selected run. */
  readonly program: Program;
  readonly units: readonly Unit[];
  /** Sources that were asked for, not only needed by others. */
  readonly listed: ReadonlySet<string>;
  readonly root: string;
  /** Laid over the settings of the program. */
  readonly settings: Partial<Settings>;
  /** Files that cannot run, because of errors in them or in what they need. */
  readonly absent: readonly UnitOutcome[];
  /** Ends what was set up for it in this process; called when the run is over. */
  readonly release?: () => void;
  /** A compiled program's file, for a process that loads it again. */
  readonly file?: string;
}

/** A part of which something was selected. */
export interface SelectedPart extends RunPart {
  readonly selected: Selected;
}

/** Options for a part's kernel, beside reporters and records. */
export type PartOptions = Omit<RunOptions, 'reporters' | 'records'>;

/** A program of which only some units run. */
export function narrowed({ program, selected }: SelectedPart): Program {
  const { plan } = program;
  if (selected.units.length === plan.units.length && selected.units.every((unit, index) => unit === plan.units[index]))
    return program;
  return { ...program, plan: { ...plan, units: selected.units } };
}
