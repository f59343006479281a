import type { RunRequest } from '#schemas/types/service.ts';

import type { RunFlags } from './begin.ts';
import type { RunSettings } from './settings.ts';

/** Flags of a requested run; each one left out is the default of the command line. */
export function flagsOf({ settings = {} }: Pick<RunRequest, 'settings'>): RunFlags {
  return {
    dryRun: settings.dry_run ?? false,
    failFast: settings.fail_fast ?? false,
    once: settings.once ?? false,
    isolate: settings.isolate ?? false,
    ...(settings.seed !== undefined && { seed: settings.seed }),
    workers: settings.workers ?? 1,
    retries: settings.retries ?? 0,
    repeat: settings.repeat ?? 1,
  };
}

/** Settings that a request lays over the configuration. */
export function settingsGiven({ settings = {}, gates = {} }: Pick<RunRequest, 'settings' | 'gates'>): RunSettings {
  const { headed, slow_mo_ms, update_snapshots } = settings;
  return {
    gates,
    ...(headed !== undefined && { headed }),
    ...(slow_mo_ms !== undefined && { slow_mo_ms }),
    ...(update_snapshots !== undefined && { update_snapshots }),
  };
}
