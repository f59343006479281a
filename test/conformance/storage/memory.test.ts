import { memoryBackend, memoryStore } from '#stdlib/files/backends/near/memory.ts';

import { describeBackend } from './backend.ts';

describeBackend('memory', async () => ({
  backend: memoryBackend(memoryStore(), Date.now),
  top: 'top',
  [Symbol.asyncDispose]: async () => {},
}));
