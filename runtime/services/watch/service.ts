import type { Provider } from '#runtime/kernel/ports.ts';

import type { Watchers } from './port.ts';
import { WatcherSet } from './watcher-set.ts';

export const provider: Provider<'watch'> = {
  open: async ({ host, folders, keep, notice, port, eachRow, ofRun }) => {
    const watchers = new WatcherSet({
      files: host.files,
      clock: host.clock,
      events: await port('fileEvents'),
      cwd: folders.cwd,
      home: host.env['HOME'] ?? host.env['USERPROFILE'],
      onFailed: async (name, text) => void (await (await port('notify')).alert(`svc: trigger[${name}] failed`, text)),
      onTrouble: (name, error) =>
        notice('warning', `the watcher "${name}" may miss changes: ${error.message}`, {
          once: `watch ${name} ${error.message}`,
        }),
      onStarted: (watcher) => keep({ ...watcher, name: `watch ${watcher.name}` }),
    });
    eachRow(() => watchers.save());
    return ofRun<(own: Watchers) => Watchers>('watch', () => (own) => own)(watchers);
  },
};
