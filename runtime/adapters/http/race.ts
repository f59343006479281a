import type { PortContext } from '#runtime/kernel/ports.ts';

import { checkHop } from './check-hop.ts';
import { classify } from './classify.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { wayOut, type ConnectionPools } from './connection-pools.ts';
import { Deadline } from './deadline.ts';
import { joinHeaders, parseSetCookie } from './headers.ts';
import { sendHop } from './hop.ts';
import type { HttpAnswer, HttpRace, HttpRequest, RaceOutcome } from './port.ts';
import { StartingLine } from './starting-line.ts';
import { unpack } from './unpack.ts';

interface Track {
  readonly pool: ConnectionPool;
  readonly line: StartingLine;
  readonly deadline: Deadline;
  /** Largest body of one answer: all of them together have the room of one. */
  readonly limit: number;
  readonly now: () => number;
  readonly startedAt: number;
}

/** Sends requests so that all of them leave at once, each over a connection of its own that is open before. */
export async function race(
  context: PortContext,
  pools: ConnectionPools,
  requests: readonly [HttpRequest, ...HttpRequest[]],
  bodyLimit: number,
): Promise<HttpRace> {
  const { clock } = context.host;
  const now = (): number => clock.monotonic();
  const [first] = requests;
  const stop = new AbortController();
  const line = new StartingLine(requests.length, now);
  const limit = Math.ceil(bodyLimit / requests.length);
  const pool = await pools.fresh(wayOut({ ...first, http2: false }, false), line);
  const signal = AbortSignal.any([first.signal, stop.signal]);
  const deadlines = requests.map((request) => new Deadline(clock, request.timeout_ms, signal));
  try {
    if (first.checked)
      for (const [index, { url, allow_private: isPrivate }] of requests.entries())
        pools.pin(
          url.hostname,
          await checkHop(await context.port('outbound'), url, deadlines[index] as Deadline, isPrivate),
        );
    const outcomes = await Promise.all(
      requests.map(async (request, index): Promise<RaceOutcome> => {
        const track = { pool, line, deadline: deadlines[index] as Deadline, limit, now, startedAt: clock.now() };
        const outcome = await run(request, track);
        // Without all of them it is no race: nobody is let go.
        if (!line.released) stop.abort('failure' in outcome ? outcome.failure : undefined);
        return outcome;
      }),
    );
    if (!line.released) throw firstFailure(outcomes);
    return { spread_ms: line.released.spread_ms, outcomes };
  } finally {
    for (const deadline of deadlines) deadline.close();
    await pool.close();
  }
}

async function run(request: HttpRequest, track: Track): Promise<RaceOutcome> {
  try {
    return { answer: await answered(request, track) };
  } catch (failure) {
    const about = { method: request.method, url: request.url.href, limit: track.limit, proxy: undefined };
    return { failure: classify(failure, about) };
  }
}

async function answered(
  request: HttpRequest,
  { pool, line, deadline, limit, now, startedAt }: Track,
): Promise<HttpAnswer> {
  const { method, url, body, headers } = request;
  const raw = await sendHop(pool, { method, url, headers, body: body ?? null }, limit, deadline, now);
  const total = now() - (line.released?.at ?? now());
  const got = joinHeaders(raw.headers);
  const coding = got['content-encoding'];
  const lines = raw.headers['set-cookie'] ?? [];
  return {
    status: raw.status,
    reason: raw.reason,
    headers: got,
    set_cookies: (typeof lines === 'string' ? [lines] : lines).map(parseSetCookie),
    body: coding === undefined ? raw.body : await unpack(raw.body, coding, limit),
    request: { method, url: url.href, headers, ...(body === undefined ? {} : { body }) },
    history: [],
    started_at: startedAt,
    elapsed_ms: total,
    timings: { ...raw.connecting, first_byte: total, total },
  };
}

function firstFailure(outcomes: readonly RaceOutcome[]): unknown {
  const failed = outcomes.find((outcome) => 'failure' in outcome);
  return failed && 'failure' in failed ? failed.failure : new Error('a race was not released');
}
