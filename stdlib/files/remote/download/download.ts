import { resolve } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { command } from '#stdlib/command.ts';
import { realPathOf } from '#stdlib/files/real-path.ts';

import { downloadInParts } from './in-parts.ts';
import { downloadWhole } from './whole.ts';
import type { DownloadTools, Wanted } from './wanted.ts';

/** Redirects that are followed where a call asks for that. */
const mostRedirects = 5;

/** Bytes a second below which, on average, a download is given up where the call names no limit. */
const SLOWEST = 16 * 1024;
/** Seconds that any download has. */
const LEAST_SECONDS = 300;

export const FA_download_file = command('FA_download_file', async (params, ctx) => {
  // With a login left out: it may be secret.
  if (!URL.canParse(params.url)) throw fail.outboundAddressForm({ url: params.url.replace(/\/\/[^/]*@/, '//') });
  const limitMs = (params.total_timeout ?? LEAST_SECONDS + params.max_bytes / SLOWEST) * 1000;
  const wanted: Wanted = {
    url: params.url,
    target: await targetOf(ctx.files, ctx.folders.cwd, params.target),
    chunkSize: params.chunk_size,
    idleMs: params.timeout * 1000,
    maxBytes: params.max_bytes,
    sha256: params.expected_sha256?.toLowerCase(),
    redirects: params.follow_redirects ? mostRedirects : 0,
    verify: params.verify,
    limit: { ms: limitMs, until: ctx.clock.monotonic() + limitMs },
  };
  return await ctx.progress.watch({ name: params.progress_name, signal: ctx.signal }, async (transfer) => {
    const { http, files, fileLocks, clock, digests, durable } = ctx;
    const tools: DownloadTools = { http, files, fileLocks, clock, digests, durable, transfer, signal: transfer.signal };
    const { headers } = params.resume ? await downloadInParts(tools, wanted) : await downloadWhole(tools, wanted);
    const changed = Date.parse(headers['last-modified'] ?? '');
    if (params.keep_time && !Number.isNaN(changed)) await files.setTimes(wanted.target, changed, changed);
    return true;
  });
});

/** Looked at before anything is asked: a folder, a pipe or a device cannot be replaced by a file. */
async function targetOf(files: Files, cwd: string, path: string): Promise<string> {
  const there = await files.find(path);
  if (there?.kind === 'directory') throw fail.isAFolder({ path });
  if (there && there.kind !== 'file') throw fail.specialFile({ path });
  return there ? await realPathOf(files, cwd, path) : resolve(cwd, path);
}
