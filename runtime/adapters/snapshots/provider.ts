import type { Provider } from '#runtime/kernel/ports.ts';

import type {} from './port.ts';
import { StoredPaths } from './stored-paths.ts';

export const provider: Provider<'snapshots'> = {
  open: ({ settings, release, notice, masked }) => {
    const stored = new StoredPaths();
    release(() => {
      if (stored.any) notice('info', stored.text, { snapshots: masked(stored.lists) });
    });
    return {
      updating: settings.update_snapshots === true,
      stored: (path, how) => stored.add(path, how),
    };
  },
};
