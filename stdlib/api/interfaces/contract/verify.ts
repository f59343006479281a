import type { Base, Ports } from '#runtime/kernel/ports.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

import { parseJson } from '#stdlib/http/parse-json.ts';
import type { Contract, Interaction, ProviderState } from './contract-file.ts';
import { responseMismatches } from './exchange.ts';
import type { ActualMessage } from './exchange.ts';
import type { FitsPattern } from './match-value.ts';
import { unsafePath } from './safe-path.ts';

export interface VerificationReport {
  readonly ok: boolean;
  readonly consumer: string;
  readonly provider: string;
  readonly interactions: {
    readonly description: string;
    readonly ok: boolean;
    readonly mismatches: string[];
  }[];
}

export interface VerifyTarget {
  readonly baseUrl: string;
  readonly statesUrl: string | null;
  /** A function of the user's that sets up a state. */
  readonly setUp: ((state: string, params?: JsonObject) => unknown) | undefined;
  readonly timeoutMs: number;
}

export type VerifyContext = Base & Pick<Ports, 'http' | 'regex' | 'xml'>;

/** Replays every interaction against a provider; what does not hold is in the report, nothing is thrown for it. */
export async function verifyContract(
  contract: Contract,
  target: VerifyTarget,
  ctx: VerifyContext,
): Promise<VerificationReport> {
  const interactions = [];
  for (const interaction of contract.interactions) {
    const mismatches = [...(await verifyInteraction(interaction, contract.consumer.name, target, ctx))];
    interactions.push({ description: interaction.description, ok: mismatches.length === 0, mismatches });
  }
  return {
    ok: interactions.length > 0 && interactions.every(({ ok }) => ok),
    consumer: contract.consumer.name,
    provider: contract.provider.name,
    interactions,
  };
}

/**
 * Patterns run under the limit of the run; the whole text must fit. Other programs write flags as `(?i)` in front, and
 * the ends of a text as `\\A` and `\\z`.
 */
export function wholeMatch({ regex }: Pick<Ports, 'regex'>): FitsPattern {
  return (written, text) => {
    const [, flags = '', pattern = written] = /^\(\?([ims]+)\)(.*)$/s.exec(written) ?? [];
    const inside = pattern.replace(/^\\A/, '').replace(/(?<!\\)((?:\\\\)*)\\[zZ]$/, '$1');
    return regex.match(`^(?:${inside})$`, [...new Set(`s${flags}`)].join(''), text) !== null;
  };
}

async function verifyInteraction(
  { request, response, providerState, providerStates = [] }: Interaction,
  consumer: string,
  target: VerifyTarget,
  ctx: VerifyContext,
): Promise<readonly string[]> {
  const unsafe = unsafePath(request.path);
  if (unsafe !== undefined) return [`the path "${request.path}" was not sent: it ${unsafe}`];
  try {
    const states = providerState === undefined || providerState === null ? [] : [{ name: providerState }];
    for (const state of [...states, ...providerStates]) await setUp(state, consumer, target, ctx);
    const answer = await send(request, target, ctx);
    return responseMismatches(response, answer, wholeMatch(ctx), (text) => ctx.xml.read(text));
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    return [error instanceof Error ? error.message : String(error)];
  }
}

async function setUp(
  { name: state, params }: ProviderState,
  consumer: string,
  target: VerifyTarget,
  ctx: VerifyContext,
): Promise<void> {
  try {
    await target.setUp?.(state, params);
    if (target.statesUrl === null) return;
    const { status } = await ctx.http.send({
      method: 'POST',
      url: new URL(target.statesUrl),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ consumer, state, ...(params === undefined ? {} : { params }) }),
      timeout_ms: target.timeoutMs,
      signal: ctx.signal,
    });
    if (status >= 400) throw new Error(`status ${status}`);
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    throw new Error(
      `the provider state "${state}" could not be set up: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

async function send(
  { method, path, query, headers, body }: Interaction['request'],
  { baseUrl, timeoutMs }: VerifyTarget,
  ctx: VerifyContext,
): Promise<ActualMessage & { readonly status: number }> {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  url.search = query ?? '';
  const isJson = Array.isArray(body) || isObject(body);
  const answer = await ctx.http.send({
    method: method.toUpperCase(),
    url,
    headers: {
      ...(isJson ? { 'content-type': 'application/json' } : {}),
      ...Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
    },
    ...(body === undefined || body === null ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    timeout_ms: timeoutMs,
    signal: ctx.signal,
    follow: false,
  });
  const text = new TextDecoder().decode(answer.body);
  return { status: answer.status, headers: answer.headers, ...(text === '' ? {} : { text, body: readBody(text) }) };
}

function readBody(text: string): Json {
  const parsed = parseJson(text);
  return 'json' in parsed ? parsed.json : text;
}

/** The report as text: a line for each interaction, indented ones for what does not hold. */
export function verificationText({ interactions }: VerificationReport): string {
  return interactions
    .flatMap(({ description, ok, mismatches }) => [
      `${ok ? '[PASS]' : '[FAIL]'} ${description}`,
      ...mismatches.map((one) => `  ${one}`),
    ])
    .join('\n');
}
