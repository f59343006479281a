import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { Failure } from '#schemas/types/failure.ts';
import { isObject } from '#schemas/types/json.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { errorKind } from './error-kind.ts';
import type { Exchange, RequestEntry } from './error-kind.ts';
import { bodyPart, evidenceOf } from './evidence.ts';
import { shownHeaders } from './headers.ts';
import { maskCookie } from './mask-cookie.ts';
import type { HttpRequest } from './prepare.ts';
import { toResult } from './result.ts';
import type { HttpResult } from './result.ts';

export type RequestContext = Base & Pick<Ports, 'http' | 'clock' | 'variables' | 'requestLog'>;

export interface Recording {
  readonly protocol: RequestEntry['protocol'];
  /** Keep the request in the log when it passes; a failed one is kept in any case. */
  readonly keep: boolean;
  /** The parameters of the call, as reports show them beside a failure. */
  readonly call: JsonObject;
}

/**
 * Sends a request, makes its answer the last response, and records what became of it. `judge` says why an answer is not
 * what the step wants.
 */
export async function exchange(
  request: HttpRequest,
  recording: Recording,
  ctx: RequestContext,
  judge: (result: HttpResult) => Failure | undefined,
): Promise<HttpResult> {
  const startedAt = ctx.clock.now();
  const begun = ctx.clock.monotonic();
  const entry = {
    step: ctx.step.id,
    protocol: recording.protocol,
    method: request.method,
    url: request.url.href,
    started_at: startedAt,
  };
  const answer = await ctx.http.send(request).catch((error: unknown) => {
    const elapsed_ms = ctx.clock.monotonic() - begun;
    const shown = {
      method: request.method,
      url: request.url.href,
      headers: shownHeaders(request.headers),
      ...bodyPart(typeof request.body === 'string' ? request.body : null),
    };
    ctx.attach({ kind: 'http', request: shown, elapsed_ms });
    const kind = errorKind(error);
    const { status, length } = answeredOf(error);
    if (kind !== undefined)
      ctx.requestLog.add(
        {
          ...entry,
          status,
          elapsed_ms,
          length,
          error: { kind, message: messageOf(error) },
        },
        {
          kind: 'failed',
          call: recording.call,
          sent: sentBy(request),
          error: messageOf(error),
          status,
          elapsed_ms,
          started_at: startedAt,
          kind_of_error: kind,
        },
      );
    throw error;
  });
  for (const { name, value, http_only } of answer.set_cookies) maskCookie({ name, value, httpOnly: http_only }, ctx);
  const result = toResult(answer);
  for (const evidence of evidenceOf(answer, result)) ctx.attach(evidence);
  ctx.variables.set('last_response', result as never, { reserved: true });
  const failure = judge(result);
  if (failure || recording.keep)
    ctx.requestLog.add(
      {
        ...entry,
        status: answer.status,
        elapsed_ms: result.elapsed_ms,
        length: answer.body.length,
        ...errorPart(failure),
      },
      failure ? failedExchange(request, result, failure, recording) : { kind: 'passed', record: result },
    );
  if (failure) throw failure;
  return result;
}

function failedExchange(request: HttpRequest, result: HttpResult, failure: Failure, { call }: Recording): Exchange {
  return {
    kind: 'failed',
    call,
    sent: sentBy(request),
    error: failure.message,
    status: result.status_code,
    elapsed_ms: result.elapsed_ms,
    started_at: Date.parse(result.start_time),
    kind_of_error: errorKind(failure) ?? 'runner_internal',
    record: result,
  };
}

function sentBy({ method, url }: HttpRequest): { readonly method: string; readonly url: string } {
  return { method, url: url.href };
}

/** Records why a call could not even be made, and yields the error. */
export function refused(error: unknown, call: JsonObject, ctx: Pick<Ports, 'requestLog' | 'clock'>): unknown {
  ctx.requestLog.refuse({
    call,
    error: messageOf(error),
    status: null,
    elapsed_ms: null,
    started_at: ctx.clock.now(),
    kind_of_error: 'configuration',
  });
  return error;
}

/** Status and bytes of a body that came before the answer broke off or could not be read; null: none came. */
function answeredOf(error: unknown): { readonly status: number | null; readonly length: number | null } {
  const actual = error instanceof Failure ? error.options.actual : undefined;
  if (actual === undefined || !isObject(actual)) return { status: null, length: null };
  const { status, received } = actual;
  return {
    status: typeof status === 'number' ? status : null,
    length: typeof received === 'number' ? received : null,
  };
}

function errorPart(failure: Failure | undefined): Pick<RequestEntry, 'error'> {
  return failure ? { error: { kind: errorKind(failure) ?? 'runner_internal', message: failure.message } } : {};
}

/** An error without text is named, so that the log never holds an empty message. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
