import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { nodeHost } from '#runtime/hosts/node.ts';
import { localBackend } from '#stdlib/files/backends/near/local.ts';

import { describeBackend } from './backend.ts';

for (const resumable of [false, true])
  describeBackend(resumable ? 'local, by parts' : 'local', async () => {
    const top = await mkdtemp(join(tmpdir(), 'svc-local-'));
    return {
      backend: localBackend(nodeHost().files, { cwd: top, resumable }),
      top,
      takesLines: true,
      [Symbol.asyncDispose]: () => rm(top, { recursive: true, force: true }),
    };
  });
