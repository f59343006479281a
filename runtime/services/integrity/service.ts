import type { Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { MonitorSettings } from '#schemas/types/tree-check.ts';

import type { Monitor, Monitors, MonitorSnapshot } from './port.ts';

export const provider: Provider<'integrity'> = {
  open: ({ keep, notice, eachRow, ofRun }): Monitors => {
    const monitors = new Map<string, Named>();
    const stop = async (name: string): Promise<MonitorSnapshot> => {
      const named = monitors.get(name);
      if (named === undefined) throw fail.monitorUnknown({ name });
      monitors.delete(name);
      await named.monitor.stop();
      return snapshot(name, named, false);
    };
    const begin = (name: string, named: Named): void => {
      monitors.set(name, named);
      named.monitor.start();
      keep({ name: `integrity ${name}`, done: named.monitor.done, stop: () => named.monitor.stop() });
    };
    eachRow(() => {
      const before = [...monitors];
      return async () => {
        for (const [name, named] of monitors) if (!before.some(([, each]) => each === named)) await stop(name);
        for (const [name, named] of before) if (monitors.get(name) !== named) begin(name, named);
      };
    });
    return ofRun<(own: Monitors) => Monitors>(
      'integrity',
      () => (own) => own,
    )({
      start: (name, monitor, calls) => {
        const there = monitors.get(name);
        if (there && !(there.calls === calls && isSame(there.monitor.settings, monitor.settings)))
          throw fail.monitorTaken({ name });
        if (there) return snapshot(name, there, true);
        const named = { monitor, calls };
        begin(name, named);
        return snapshot(name, named, true);
      },
      stop,
      stopAll: () => Promise.all([...monitors.keys()].map(stop)),
      list: () => [...monitors].map(([name, named]) => snapshot(name, named, true)),
      warn: (text) => notice('warning', text),
    });
  },
};

interface Named {
  readonly monitor: Monitor;
  /** Name of the command that it calls on drift. */
  readonly calls: string | null;
}

function snapshot(name: string, { monitor: { settings, last_summary } }: Named, running: boolean): MonitorSnapshot {
  return { name, ...settings, running, last_summary };
}

function isSame(one: MonitorSettings, other: MonitorSettings): boolean {
  return (
    one.root === other.root &&
    one.manifest_path === other.manifest_path &&
    one.interval === other.interval &&
    one.alert_on_extra === other.alert_on_extra
  );
}
