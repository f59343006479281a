import type { Provider } from '#runtime/kernel/ports.ts';

import { openProgress } from './open-progress.ts';
import { unnamed } from './unnamed.ts';

export const provider: Provider<'progress'> = {
  open: ({ host, ofRun }) =>
    import.meta.withoutTransfers ? unnamed : ofRun('progress', () => openProgress(host.clock)),
};
