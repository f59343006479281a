import type { Provider } from '#runtime/kernel/ports.ts';

import { compilerTools } from './compiler-package.ts';

export const provider: Provider<'compiler'> = {
  open: async ({ host, folders: { root, here }, release }) => (await compilerTools())({ host, root, here, release }),
};
