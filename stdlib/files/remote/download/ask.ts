import { Failure } from '#schemas/types/failure.ts';

import type { Answer, DownloadTools, Wanted } from './wanted.ts';

/** Before the second and the third try. */
const waits = [500, 1000];

/** Asks for the file until an answer comes, of whatever status. Only what prevented an answer is tried again. */
export async function ask(
  tools: DownloadTools,
  wanted: Wanted,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    try {
      return await tools.http.receive(requestOf(tools, wanted, headers));
    } catch (error) {
      const wait = waits[tries];
      if (wait === undefined || !isPassing(error) || isOver(tools, wanted, wait)) throw error;
      await tools.clock.sleep(wait, tools.signal);
    }
  }
}

function requestOf(
  { clock, signal }: DownloadTools,
  { url, idleMs, redirects, limit, verify }: Wanted,
  headers: Readonly<Record<string, string>>,
): Parameters<DownloadTools['http']['receive']>[0] {
  return {
    method: 'GET',
    url: new URL(url),
    // Unpacked, so that sizes, ranges and digests are those of the file.
    headers: { 'user-agent': 'svc', accept: '*/*', 'accept-encoding': 'identity', ...headers },
    idle_ms: idleMs,
    timeout_ms: Math.max(1, limit.until - clock.monotonic()),
    timeout_of_ms: limit.ms,
    signal,
    checked: true,
    verify,
    follow: redirects > 0,
    redirects,
  };
}

function isPassing(error: unknown): boolean {
  return (
    error instanceof Failure &&
    error.facts.class !== 'real' &&
    error.facts.kinds.some((kind) => kind === 'network' || kind === 'timeout')
  );
}

function isOver({ clock }: DownloadTools, { limit }: Wanted, wait: number): boolean {
  return clock.monotonic() + wait >= limit.until;
}
