import type { Provider } from '#runtime/kernel/ports.ts';

import type {} from './port.ts';

export const provider: Provider<'snapshots'> = {
  open: ({ settings }) => ({ updating: settings.update_snapshots === true }),
};
