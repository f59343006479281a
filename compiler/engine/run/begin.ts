import type { RunOptions } from '#runtime/kernel/options.ts';
import { start, type Run } from '#runtime/kernel/run.ts';

import { narrowed, type PartOptions, type SelectedPart } from './part.ts';
import type { Project } from '../project.ts';

/** Options for running the files of a run. */
export interface RunFlags {
  readonly dryRun: boolean;
  readonly failFast: boolean;
  /** Does not stay for watches and schedules. */
  readonly once: boolean;
  /** Files at once. */
  readonly workers: number;
  readonly retries: number;
  readonly repeat: number;
  readonly seed?: number;
  /** Ids of steps at which bodies begin, by the source of their unit. */
  readonly resumedAt?: Readonly<Record<string, string>>;
  /** Each file has a process of its own. */
  readonly isolate: boolean;
  /** Record file, absolute: processes of their own write to it. */
  readonly record?: string;
  /** Folder for the evidence of failed steps, and the folders that writes keep to; needed by processes of their own. */
  readonly evidence?: { readonly folder: string; readonly bounds: readonly string[] };
}

export type Begin = (reporting: Pick<RunOptions, 'reporters' | 'records'>) => Run;

/** The beginning of a run: one part by itself, which is nearly always so, several as one. */
export async function beginRun(
  id: string,
  parts: readonly SelectedPart[],
  project: Project,
  flags: RunFlags,
): Promise<Begin> {
  const { host } = project;
  const isolated = flags.isolate ? (await import('../worker/isolated-units.ts')).isolatedUnits : undefined;
  const around = {
    cwd: host.cwd,
    env: host.env,
    ...(flags.record !== undefined && { record: flags.record }),
    ...(flags.evidence && { evidence: flags.evidence }),
  };
  const ready = parts.map((part) => {
    const options = { ...optionsOf(part, project, flags), run: id };
    return { part, options, ...(isolated && { runUnit: isolated(part, options, around) }) };
  });
  const [only, ...others] = ready;
  if (only && others.length === 0 && only.part.absent.length === 0)
    return (reporting) => start(narrowed(only.part), { ...only.options, ...reporting }, host, only.runUnit);
  const { startJoined } = await import('./joined.ts');
  return (reporting) => startJoined(id, ready, reporting, host);
}

function optionsOf({ root, settings, selected }: SelectedPart, project: Project, flags: RunFlags): PartOptions {
  const { dryRun, failFast, once, workers, retries, repeat, seed, resumedAt } = flags;
  return {
    root,
    variables: project.variables,
    environment: project.environment,
    settings,
    dryRun,
    failFast,
    once,
    workers,
    retries,
    repeat,
    ...(seed !== undefined && { seed }),
    ...(resumedAt && { resumedAt }),
    ...(selected.steps && { chosen: selected.steps }),
  };
}
