import type { RunOptions } from '#runtime/kernel/options.ts';
import type { Run } from '#runtime/kernel/run.ts';
import type { RunOutcome } from '#schemas/types/run-event.ts';

import { pinOwnPackages } from '../own/pin-packages.ts';
import type { Project } from '../project.ts';
import { rememberRun } from '../state.ts';
import { beginRun, type RunFlags } from './begin.ts';
import type { SelectedPart } from './part.ts';
import { isPartial } from './parts.ts';

/** A request that has been read: what runs, in which project, and how. */
export interface ReadyRun {
  readonly project: Project;
  readonly parts: readonly SelectedPart[];
  readonly flags: RunFlags;
}

/**
 * A run from its request to its outcome: the one way of the command line and of every service. A reason that
 * keeps it from beginning rejects the outcome; a stop that comes before the beginning counts. Failed steps are
 * remembered for the next run.
 */
export function requestedRun(
  id: string,
  ready: () => ReadyRun | Promise<ReadyRun>,
  reporting: Pick<RunOptions, 'reporters' | 'records'>,
): Run {
  let running: Run | undefined;
  let stopped: string | undefined;
  const conduct = async (): Promise<RunOutcome> => {
    const { project, parts, flags } = await ready();
    const unpin = pinOwnPackages();
    try {
      running = (await beginRun(id, parts, project, flags))(reporting);
      if (stopped !== undefined) running.stop(stopped);
      const outcome = await running.outcome;
      if (!flags.dryRun) await rememberRun(await project.state(), outcome, isPartial(parts));
      return outcome;
    } finally {
      unpin();
    }
  };
  return {
    id,
    outcome: conduct(),
    stop: (reason) => {
      stopped ??= reason;
      running?.stop(reason);
    },
  };
}
