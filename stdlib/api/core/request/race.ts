import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

import { errorKind } from '#stdlib/http/error-kind.ts';
import type { RequestContext } from '#stdlib/http/exchange.ts';
import { prepareRequest } from '#stdlib/http/prepare.ts';
import type { HttpRequest } from '#stdlib/http/prepare.ts';
import { toResult } from '#stdlib/http/result.ts';
import type { HttpResult } from '#stdlib/http/result.ts';

const most = 100;

export const AT_race_requests = command('AT_race_requests', async (params, ctx) => {
  const { copies, within_ms: within, timeout, verify, cert } = params;
  const prepared = params.requests.flatMap(({ http_method: method, test_url: address, ...given }) => {
    const [, session, verb = ''] = /^(session_)?(.+)$/i.exec(method) ?? [];
    const request = prepareRequest(
      {
        method: verb.toUpperCase(),
        address,
        timeout,
        verify,
        cert,
        session: session !== undefined,
        headers: given.headers ?? null,
        cookies: given.cookies ?? null,
        params: given.params ?? null,
        data: given.data ?? null,
        json: given.json as Json | undefined,
        files: given.files ?? null,
        body_file: given.body_file ?? null,
        auth: given.auth ?? null,
        ...(given.auth_scheme ? { auth_scheme: given.auth_scheme } : {}),
      },
      ctx,
    );
    return Array.from({ length: copies }, () => request);
  });
  const [first, ...others] = prepared;
  if (!first || prepared.length > most) throw fail.raceTooMany({ count: prepared.length, limit: most });
  const { spread_ms: spread, outcomes } = await ctx.http.race([first, ...others]);
  const ran = outcomes.map((outcome) => ('answer' in outcome ? toResult(outcome.answer) : outcome.failure));
  for (const [index, one] of ran.entries()) {
    const outcome = outcomes[index];
    const length = outcome && 'answer' in outcome ? outcome.answer.body.length : null;
    log({ request: prepared[index] ?? first, one, length }, params.record_request_info, ctx);
  }
  const answers = ran.map((one) => (isResult(one) ? one : null));
  if (answers.every((answer) => answer === null)) throw ran[0];
  const spreadMs = Math.round(spread * 1000) / 1000;
  const result = { spread_ms: spreadMs, statuses: countStatuses(answers), answers, errors: errorsOf(ran) };
  if (spreadMs > within)
    throw fail.raceTooWide({ count: ran.length, spread: spreadMs, limit: within, actual: spreadMs, result });
  return result;
});

/** A request of the race with its result or what prevented one; `length` is that of its body in bytes. */
interface Ran {
  readonly request: HttpRequest;
  readonly one: unknown;
  readonly length: number | null;
}

function isResult(one: unknown): one is HttpResult {
  return !(one instanceof Error);
}

function countStatuses(answers: readonly (HttpResult | null)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) if (answer) counts[answer.status_code] = (counts[answer.status_code] ?? 0) + 1;
  return counts;
}

function errorsOf(ran: readonly unknown[]): { index: number; error: string }[] {
  return ran.flatMap((one, index) => (one instanceof Error ? [{ index, error: one.message }] : []));
}

/** Each request stands in the records like any other. */
function log({ request, one, length }: Ran, keep: boolean, ctx: RequestContext): void {
  const call: JsonObject = { http_method: request.method.toLowerCase(), test_url: request.url.href };
  const entry = {
    step: ctx.step.id,
    protocol: 'http',
    method: request.method,
    url: request.url.href,
    started_at: ctx.clock.now(),
  } as const;
  if (isResult(one)) {
    const { status_code: status, elapsed_ms } = one;
    const started_at = Date.parse(one.start_time);
    if (keep) ctx.requestLog.add({ ...entry, started_at, status, elapsed_ms, length }, { kind: 'passed', record: one });
    return;
  }
  const kind = errorKind(one) ?? 'runner_internal';
  const message = one instanceof Failure ? one.message : String(one);
  const measured = { status: null, elapsed_ms: 0 };
  ctx.requestLog.add(
    { ...entry, ...measured, length: null, error: { kind, message } },
    {
      kind: 'failed',
      call,
      sent: { method: entry.method, url: entry.url },
      error: message,
      ...measured,
      started_at: entry.started_at,
      kind_of_error: kind,
    },
  );
}
