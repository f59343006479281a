import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { commandRaising } from '#stdlib/command.ts';

import { decodeBody } from '#stdlib/http/body-text.ts';
import { above, audit } from './audit.ts';
import { fuzzTexts } from './fuzz-texts.ts';
import { judgePreflight } from './judge-preflight.ts';
import { evidenceIn, meaningOf, ssrfProbes } from './probes.ts';
import { scanHeaders } from './scan-headers.ts';

const command = commandRaising('APITesterException', ['APIAssertException']);

export const AT_scan_security_headers = command('AT_scan_security_headers', ({ headers, url }) =>
  scanHeaders(headers, !/^http:/i.test(url ?? '')),
);

export const AT_cors_preflight = command('AT_cors_preflight', async ({ url, origin, method, timeout }, ctx) => {
  const verb = method.toUpperCase();
  const headers = { origin, 'access-control-request-method': verb };
  const answer = await send(url, { method: 'OPTIONS', headers, seconds: timeout }, ctx);
  return judgePreflight({ origin, method: verb, status: answer.status, headers: answer.headers });
});

export const AT_probe_rate_limit = command('AT_probe_rate_limit', async ({ url, method, burst, timeout }, ctx) => {
  const none = { triggered: false, triggered_at_attempt: null, retry_after: null, error: null };
  for (let attempt = 1; attempt <= burst; attempt++) {
    let answer;
    try {
      answer = await send(url, { method: method.toUpperCase(), headers: {}, seconds: timeout }, ctx);
    } catch (error) {
      if (ctx.signal.aborted || attempt === 1) throw error;
      // Some services cut connections instead of answering: what is known by then is the result.
      return { ...none, attempts: attempt, error: error instanceof Error ? error.message : String(error) };
    }
    if (answer.status === 429)
      return {
        ...none,
        triggered: true,
        triggered_at_attempt: attempt,
        retry_after: answer.headers['retry-after'] ?? null,
        attempts: attempt,
      };
  }
  return { ...none, attempts: burst };
});

export const AT_probe_ssrf = command('AT_probe_ssrf', async (params, ctx) => {
  const { target, parameter, timeout } = params;
  const method = params.method.toUpperCase();
  const isQuery = method === 'GET' || method === 'HEAD';
  const found = [];
  let reached = 0;
  let last: unknown;
  for (const probe of params.probes?.length ? params.probes : ssrfProbes) {
    const url = new URL(target);
    if (isQuery) url.searchParams.append(parameter, probe);
    const body = isQuery ? {} : { body: JSON.stringify({ [parameter]: probe }) };
    const headers: Record<string, string> = isQuery ? {} : { 'content-type': 'application/json' };
    try {
      const answer = await send(url.href, { method, headers, ...body, seconds: timeout }, ctx);
      reached += 1;
      if (answer.status >= 400) continue;
      const evidence = evidenceIn(decodeBody(answer.body, answer.headers['content-type']).text, probe);
      const { location } = answer.headers;
      found.push({
        probe,
        status: answer.status,
        message: meaningOf({ status: answer.status, evidence, redirect: location }),
        ...(location === undefined ? {} : { redirect: location }),
        ...(evidence === undefined ? {} : { evidence }),
      });
    } catch (error) {
      if (ctx.signal.aborted) throw error;
      last = error;
    }
  }
  // An endpoint that never answered was not tested.
  if (reached === 0) throw last;
  return found;
});

export const AT_fuzz_string_inputs = command('AT_fuzz_string_inputs', ({ limit }) =>
  fuzzTexts.slice(0, Math.max(limit, 0)),
);

export const AT_run_dependency_audit = command('AT_run_dependency_audit', async (params, ctx) => {
  const weak = await audit(params.lock_file, params.advisory_file, ctx);
  const severe = params.fail_on === null ? [] : above(weak, params.fail_on);
  if (severe.length > 0)
    throw fail.auditFound({
      count: severe.length,
      limit: params.fail_on ?? '',
      names: severe
        .slice(0, 10)
        .map(({ name, version }) => `${name} ${version}`)
        .join(', '),
      actual: severe.map(({ name, version, vulns }) => ({ name, version, ids: vulns.map(({ id }) => id) })),
      result: weak,
    });
  return weak;
});

interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly seconds: number;
}

/** One request that follows no redirect: only what was named is asked. */
async function send(
  url: string,
  { method, headers, body, seconds }: Sent,
  ctx: Base & Pick<Ports, 'http'>,
): ReturnType<Ports['http']['send']> {
  return await ctx.http.send({
    method,
    url: new URL(url),
    headers: { 'user-agent': 'svc', ...headers },
    ...(body === undefined ? {} : { body }),
    timeout_ms: seconds * 1000,
    signal: ctx.signal,
    follow: false,
  });
}
