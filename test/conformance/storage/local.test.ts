import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { nodeHost } from '#runtime/hosts/node.ts';
import { localBackend } from '#stdlib/files/backends/near/local.ts';

import { smallDisk } from '../../fixtures/small-disk.ts';
import { describeBackend } from './backend.ts';

for (const resumable of [false, true])
  describeBackend(resumable ? 'local, by parts' : 'local', async () => {
    const top = await mkdtemp(join(tmpdir(), 'svc-local-'));
    const disk = await smallDisk(join(top, 'small'));
    return {
      backend: localBackend(nodeHost().files, { cwd: top, resumable }),
      top,
      ...(disk && { small: join(top, 'small') }),
      takesLines: true,
      [Symbol.asyncDispose]: async () => {
        await disk?.[Symbol.asyncDispose]();
        await rm(top, { recursive: true, force: true });
      },
    };
  });
