import { retryAfterMs } from '#grammar/http/retry-after.ts';
import type { Base, Ports } from '#runtime/kernel/ports.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import { command } from '#stdlib/command.ts';
import { readHeaders, secretsIn } from '#stdlib/http/headers.ts';

import { outcomeOf, type RecordedStep } from '#stdlib/browser/recorded-step.ts';

type Summary = CommandMap['WR_summarise_run']['result'];

/** Seconds that a chat may take. */
const CHAT_SECONDS = 10;
/** Failures that a message lists, and the signs that each may take. */
const LISTED = 10;
const LONGEST = 300;
/** Most times that one message is sent. */
const TRIES = 3;

type SendContext = Base & Pick<Ports, 'http' | 'clock'>;

export const WR_summarise_run = command('WR_summarise_run', (_, ctx) => summaryOf(ctx.stepRecord.all()));

export const WR_notify_chat = command('WR_notify_chat', async ({ webhook_url, summary, header }, ctx) => {
  const text = summary ? textOf(header, summary, ctx) : runText(header, ctx);
  return await post({ url: webhook_url, body: { text }, seconds: CHAT_SECONDS }, ctx);
});

export const WR_notify_run_summary = command('WR_notify_run_summary', async ({ webhook_url, header }, ctx) => {
  const body = { text: runText(header, ctx) };
  return await post({ url: webhook_url, body, seconds: CHAT_SECONDS }, ctx);
});

export const WR_notify_webhook = command('WR_notify_webhook', async ({ url, payload, timeout, headers }, ctx) => {
  const given = readHeaders(headers);
  for (const secret of secretsIn(given)) ctx.mask(secret);
  return await post({ url, body: payload, seconds: timeout, headers: given }, ctx);
});

function summaryOf(steps: readonly RecordedStep[]): Summary {
  const failed = steps.filter((step) => outcomeOf(step) === 'failed');
  return {
    total: steps.length,
    passed: steps.length - failed.length,
    failed: failed.length,
    failures: failed.map(({ function_name, program_exception }) => ({ function_name, exception: program_exception })),
  };
}

/** Zeros alone would read as a run without failures. */
function runText(header: string, ctx: Base & Pick<Ports, 'stepRecord'>): string {
  const steps = ctx.stepRecord.all();
  const text = textOf(header, summaryOf(steps), ctx);
  return steps.length > 0 ? text : `${text}\nno step was recorded: \`WR_set_record_enable\` begins that`;
}

function textOf(header: string, { total, passed, failed, failures }: Summary, ctx: Base): string {
  const lines = [`*${header}*`, `total: ${total}  passed: ${passed}  failed: ${failed}`];
  if (failures.length === 0) return lines.join('\n');
  lines.push('*failures:*');
  for (const { function_name: name, exception } of failures.slice(0, LISTED))
    lines.push(`• ${plain(name ?? 'unknown')}: ${plain(cut((exception ?? '').replace(/\s+/g, ' '), ctx))}`);
  if (failures.length > LISTED) lines.push(`… ${failures.length - LISTED} more`);
  return lines.join('\n');
}

/** Errors hold texts of pages and servers: in the dialect of chats `<!channel>` would call everybody. */
function plain(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function cut(text: string, ctx: Base): string {
  return text.length <= LONGEST ? ctx.excerpt(text, LONGEST) : `${ctx.excerpt(text, LONGEST - 1)}…`;
}

interface Posted {
  readonly url: string;
  readonly body: object;
  readonly seconds: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends until the message is taken: again only where the server asks to wait, and the time allows. The address lets
 * its holder write: failures name the host alone.
 */
async function post({ url: address, body, seconds, headers }: Posted, ctx: SendContext): Promise<number> {
  const url = URL.parse(address);
  if (!url) throw fail.httpAddress({ url: '***' });
  const request = {
    method: 'POST',
    url,
    checked: true,
    follow: true,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: ctx.signal,
  };
  const end = ctx.clock.monotonic() + seconds * 1000;
  for (let count = 1; ; count += 1) {
    const answer = await send({ ...request, timeout_ms: Math.max(1, Math.ceil(end - ctx.clock.monotonic())) }, ctx);
    if (answer.status < 400) return answer.status;
    const wait = retryAfterMs(answer, ctx.clock.now());
    if (wait === undefined || count === TRIES || ctx.clock.monotonic() + wait >= end) {
      const text = ctx.excerpt(new TextDecoder().decode(answer.body).trim(), 200);
      throw fail.webhookRefused({ host: url.host, status: answer.status, answer: text });
    }
    await ctx.clock.sleep(wait, ctx.signal);
  }
}

/** An answer with its status. Where its body broke off, what the status says still holds: it was taken or refused. */
async function send(
  request: Parameters<SendContext['http']['send']>[0],
  { http, signal }: SendContext,
): Promise<Pick<Awaited<ReturnType<SendContext['http']['send']>>, 'status' | 'headers' | 'body'>> {
  try {
    return await http.send(request);
  } catch (error) {
    signal.throwIfAborted();
    const status = error instanceof Failure ? statusIn(error.options.actual) : undefined;
    if (status === undefined) throw error;
    return { status, headers: {}, body: new Uint8Array() };
  }
}

function statusIn(actual: unknown): number | undefined {
  const isObject = typeof actual === 'object' && actual !== null;
  return isObject && 'status' in actual && typeof actual.status === 'number' ? actual.status : undefined;
}
