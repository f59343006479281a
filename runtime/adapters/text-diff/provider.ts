import type { Provider } from '#runtime/kernel/ports.ts';

import { hunks } from './hunks.ts';

export const provider: Provider<'textDiff'> = { open: () => ({ hunks }) };
