import type { Base, Ports } from '#runtime/kernel/ports.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { errorKind } from '#stdlib/http/error-kind.ts';
import type { RequestEntry } from '#stdlib/http/error-kind.ts';

export type StreamedContext = Base & Pick<Ports, 'clock' | 'variables' | 'requestLog'>;

/** Address and times of an exchange of many messages. */
export interface Streamed {
  readonly url: string;
  readonly start_time: string;
  readonly end_time: string;
}

export interface StreamedCall {
  readonly protocol: RequestEntry['protocol'];
  readonly method: string;
  readonly url: string;
  /** Parameters, as reports show them beside a failure. */
  readonly call: JsonObject;
  readonly keep: boolean;
}

/** Runs an exchange of many messages, makes what it yields the last response, and records what became of it. */
export async function streamed<Result extends object>(
  { protocol, method, url, call, keep }: StreamedCall,
  ctx: StreamedContext,
  work: () => Promise<Result>,
): Promise<Result & Streamed> {
  const startedAt = ctx.clock.now();
  const begun = ctx.clock.monotonic();
  const entry = { step: ctx.step.id, protocol, method, url, started_at: startedAt, length: null };
  try {
    const found = await work();
    const elapsed_ms = ctx.clock.monotonic() - begun;
    const result = {
      url,
      ...found,
      start_time: new Date(startedAt).toISOString(),
      // Start plus elapsed, so that it never precedes the start.
      end_time: new Date(startedAt + elapsed_ms).toISOString(),
    };
    ctx.variables.set('last_response', result, { reserved: true });
    if (keep) ctx.requestLog.add({ ...entry, status: null, elapsed_ms }, { kind: 'passed', record: result });
    return result;
  } catch (error) {
    const elapsed_ms = ctx.clock.monotonic() - begun;
    const message = error instanceof Error ? error.message || error.name : String(error);
    const kind = errorKind(error) ?? 'transport';
    ctx.requestLog.add(
      { ...entry, status: null, elapsed_ms, error: { kind, message } },
      {
        kind: 'failed',
        call: { ...call, url },
        error: message,
        status: null,
        elapsed_ms,
        started_at: startedAt,
        kind_of_error: kind,
      },
    );
    throw error;
  }
}
