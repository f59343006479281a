import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { MonitorSettings } from '#schemas/types/tree-check.ts';
import { command } from '#stdlib/command.ts';

import { IntegrityMonitor } from './integrity-monitor.ts';

type Tools = Base & Pick<Ports, 'files' | 'digests' | 'clock' | 'modules' | 'notify' | 'integrity'>;

/** Interval (s) for a single check, where it has no meaning. */
const ONCE = 1;

export const FA_integrity_check = command(
  'FA_integrity_check',
  async ({ root, manifest_path, on_drift, alert_on_extra }, ctx) => {
    const monitor = await monitorOf(ctx, { root, manifest_path, alert_on_extra, interval: ONCE }, on_drift);
    return monitor.check_once(ctx.signal);
  },
);

export const FA_integrity_start = command(
  'FA_integrity_start',
  async ({ name, root, manifest_path, interval, on_drift, alert_on_extra }, ctx) =>
    ctx.integrity.start(
      name,
      await monitorOf(ctx, { root, manifest_path, alert_on_extra, interval }, on_drift),
      on_drift,
    ),
);

export const FA_integrity_stop = command('FA_integrity_stop', ({ name }, ctx) => ctx.integrity.stop(name));

export const FA_integrity_stop_all = command('FA_integrity_stop_all', async (_params, ctx) => [
  ...(await ctx.integrity.stopAll()),
]);

export const FA_integrity_list = command('FA_integrity_list', (_params, ctx) => [...ctx.integrity.list()]);

/** The function is looked for at once: a monitor that could call nobody must not seem to run. */
async function monitorOf(
  { files, digests, clock, folders, modules, notify, integrity }: Tools,
  settings: MonitorSettings,
  reference: string | null,
): Promise<IntegrityMonitor> {
  const onDrift = reference === null ? undefined : await modules.reference(reference);
  return new IntegrityMonitor(
    {
      files,
      digests,
      clock,
      folders,
      alert: ({ subject, body }) => notify.alert(subject, body),
      callbackFailed: (reason) =>
        integrity.warn(fail.driftCallbackFailed({ reference: reference ?? '', reason }).message),
    },
    settings,
    onDrift,
  );
}
