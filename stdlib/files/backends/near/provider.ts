import type { Provider } from '#runtime/kernel/ports.ts';

import { localBackend } from './local.ts';
import { memoryBackend, memoryStore } from './memory.ts';

/** Each row of a dataset finds in memory what the setup has left there. */
export const provider: Provider<'nearStorage'> = {
  open: ({ host, folders, settings, eachRow }) => {
    const store = memoryStore();
    eachRow(() => {
      const [files, kept] = [new Map(store.files), new Set(store.folders)];
      return () => {
        store.files.clear();
        store.folders.clear();
        for (const [name, file] of files) store.files.set(name, file);
        for (const folder of kept) store.folders.add(folder);
      };
    });
    return {
      local: localBackend(host.files, { cwd: folders.cwd, durable: settings.durable === true }),
      memory: memoryBackend(store, () => host.clock.now()),
    };
  },
};
