import { localGates } from '#runtime/kernel/guard.ts';
import type { Settings } from '#runtime/kernel/ports.ts';

/** Settings of one run, laid over those of the configuration or the program. */
export interface RunSettings {
  readonly gates?: Settings['gates'];
  /** The browser is shown. */
  readonly headed?: boolean;
  /** Wait between browser actions (ms). */
  readonly slow_mo_ms?: number;
  /** Snapshots and baselines that differ or are missing are stored. */
  readonly update_snapshots?: boolean;
}

/** The settings of a run: gates, the configuration, and what its caller lays over them. */
export function runSettings(configured: Settings, given: RunSettings, gates: Settings['gates'] = localGates): Settings {
  const over = givenSettings(configured, given);
  return { ...configured, ...over, gates: { ...gates, ...configured.gates, ...over.gates } };
}

/** The part of the settings that a caller lays over those that are there. */
export function givenSettings(
  { browser }: Settings,
  { gates, headed, slow_mo_ms: slowMo, update_snapshots: updating }: RunSettings,
): Partial<Settings> & Pick<Settings, 'gates'> {
  const wanted = {
    ...browser,
    ...(headed === true && { headless: false }),
    ...(slowMo !== undefined && { slow_mo_ms: slowMo }),
  };
  return {
    gates: gates ?? {},
    ...(Object.keys(wanted).length > 0 && { browser: wanted }),
    ...(updating === true && { update_snapshots: true }),
  };
}
