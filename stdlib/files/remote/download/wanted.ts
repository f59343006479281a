import type { Context } from '#stdlib/command.ts';

type Ctx = Context<'FA_download_file'>;

/** `signal`: of the transfer, which somebody may cancel by its name. */
export interface DownloadTools extends Pick<
  Ctx,
  'http' | 'files' | 'fileLocks' | 'clock' | 'digests' | 'signal' | 'durable'
> {
  readonly transfer: Parameters<Parameters<Ctx['progress']['watch']>[1]>[0];
}

/** The head of an answer, with its body still to come. */
export type Answer = Awaited<ReturnType<DownloadTools['http']['receive']>>;

/** Download that a call asks for. */
export interface Wanted {
  readonly url: string;
  /** Absolute, links resolved: what will be replaced. */
  readonly target: string;
  readonly chunkSize: number;
  readonly idleMs: number;
  readonly maxBytes: number;
  /** Lower-case hex. */
  readonly sha256: string | undefined;
  readonly redirects: number;
  readonly verify: boolean | string;
  /** Time limit (ms) of the whole download, and the monotonic time (ms) by which it must have ended. */
  readonly limit: { readonly ms: number; readonly until: number };
}
