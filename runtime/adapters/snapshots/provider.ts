import type { Provider } from '#runtime/kernel/ports.ts';

import type {} from './port.ts';
import { StoredPaths } from './stored-paths.ts';

export const provider: Provider<'snapshots'> = {
  open: ({ settings, release, notice, masked }) => {
    const stored = new StoredPaths();
    const owners = new Map<string, string>();
    release(() => {
      if (stored.any) notice('info', stored.text, { snapshots: masked(stored.lists) });
    });
    return {
      updating: settings.update_snapshots === true,
      stored: (path, how) => stored.add(path, how),
      owner: (path, name) => {
        const owner = owners.get(path) ?? name;
        owners.set(path, owner);
        return owner;
      },
      removed: (path) => void owners.delete(path),
    };
  },
};
