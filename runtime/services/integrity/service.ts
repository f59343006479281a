import type { Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import type { Monitor, Monitors, MonitorSettings, MonitorSnapshot } from './port.ts';

export const provider: Provider<'integrity'> = {
  open: ({ keep, notice }): Monitors => {
    const monitors = new Map<string, Monitor>();
    const stop = async (name: string): Promise<MonitorSnapshot> => {
      const monitor = monitors.get(name);
      if (monitor === undefined) throw fail.monitorUnknown({ name });
      monitors.delete(name);
      await monitor.stop();
      return snapshot(name, monitor, false);
    };
    return {
      start: (name, monitor) => {
        const there = monitors.get(name);
        if (there && !isSame(there.settings, monitor.settings)) throw fail.monitorTaken({ name });
        if (there) return snapshot(name, there, true);
        monitors.set(name, monitor);
        monitor.start();
        keep({ name: `integrity ${name}`, done: monitor.done, stop: () => monitor.stop() });
        return snapshot(name, monitor, true);
      },
      stop,
      stopAll: () => Promise.all([...monitors.keys()].map(stop)),
      list: () => [...monitors].map(([name, monitor]) => snapshot(name, monitor, true)),
      warn: (text) => notice('warning', text),
    };
  },
};

function snapshot(name: string, { settings, last_summary }: Monitor, running: boolean): MonitorSnapshot {
  return { name, ...settings, running, last_summary };
}

function isSame(one: MonitorSettings, other: MonitorSettings): boolean {
  return one.root === other.root && one.manifest_path === other.manifest_path && one.interval === other.interval && one.alert_on_extra === other.alert_on_extra;
}
