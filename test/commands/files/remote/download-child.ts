/**
 * Downloads one file as a unit would, in a process that a test can kill: `node download-child.ts URL TARGET RESUME`.
 * Says the code of its failure.
 */
import { nodeHost } from '#runtime/hosts/node.ts';
import { asFailure } from '#runtime/kernel/as-failure.ts';
import { openProgress } from '#runtime/services/progress/open-progress.ts';
import type { Context } from '#stdlib/command.ts';
import { FA_download_file } from '#stdlib/files/remote/download/download.ts';

import { openLockServices } from '../../../fixtures/lock-service.ts';
import { openClient } from '../../../adapters/port-context.ts';

const [, , url = '', target = '', resume] = process.argv;
const host = nodeHost();
await using client = await openClient();
await using locks = await openLockServices();
const context = {
  signal: new AbortController().signal,
  folders: { cwd: host.cwd, root: host.cwd, here: host.cwd },
  durable: false,
  files: host.files,
  fileLocks: locks.fileLocks,
  clock: host.clock,
  http: client.http,
  digests: { open: (name: string) => host.digest(name), names: host.digests },
  progress: openProgress(host.clock),
} as unknown as Context<'FA_download_file'>;
const work = FA_download_file(
  {
    url,
    target,
    resume: resume === 'true',
    chunk_size: 4096,
    timeout: 15,
    max_bytes: 1e9,
    progress_name: null,
    expected_sha256: null,
    follow_redirects: false,
    total_timeout: null,
    keep_time: false,
    verify: true,
  },
  context,
);
await Promise.resolve(work).catch((error: unknown) => {
  console.log(asFailure(error, 'FA_download_file').facts.code);
  process.exitCode = 1;
});
