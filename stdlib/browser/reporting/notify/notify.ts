import type { Base, Ports } from '#runtime/kernel/ports.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import * as fail from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';
import { readHeaders, secretsIn } from '#stdlib/http/headers.ts';

import { outcomeOf, type RecordedStep } from '../recorded-step.ts';

type Summary = CommandMap['WR_summarise_run']['result'];

/** Seconds that a chat may take. */
const CHAT_SECONDS = 10;
/** Failures that a message lists, and the signs that each may take. */
const LISTED = 10;
const LONGEST = 300;

export const WR_summarise_run = command('WR_summarise_run', (_, ctx) => summaryOf(ctx.stepRecord.all()));

export const WR_notify_chat = command('WR_notify_chat', async ({ webhook_url, summary, header }, ctx) => {
  const told = summary ?? summaryOf(ctx.stepRecord.all());
  return await post({ url: webhook_url, body: { text: textOf(header, told) }, seconds: CHAT_SECONDS }, ctx);
});

export const WR_notify_run_summary = command('WR_notify_run_summary', async ({ webhook_url, header }, ctx) => {
  const body = { text: textOf(header, summaryOf(ctx.stepRecord.all())) };
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

function textOf(header: string, { total, passed, failed, failures }: Summary): string {
  const lines = [`*${header}*`, `total: ${total}  passed: ${passed}  failed: ${failed}`];
  if (failures.length === 0) return lines.join('\n');
  lines.push('*failures:*');
  for (const { function_name: name, exception } of failures.slice(0, LISTED))
    lines.push(`• ${name ?? 'unknown'}: ${cut((exception ?? '').replace(/\s+/g, ' '))}`);
  if (failures.length > LISTED) lines.push(`… ${failures.length - LISTED} more`);
  return lines.join('\n');
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).toWellFormed()}…`;
}

interface Posted {
  readonly url: string;
  readonly body: object;
  readonly seconds: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The address lets its holder write: failures name the host alone. */
async function post(
  { url: address, body, seconds, headers }: Posted,
  ctx: Base & Pick<Ports, 'http'>,
): Promise<number> {
  const url = URL.parse(address);
  if (!url) throw fail.httpAddress({ url: '***' });
  const answer = await ctx.http.send({
    method: 'POST',
    url,
    checked: true,
    follow: true,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    timeout_ms: seconds * 1000,
    signal: ctx.signal,
  });
  if (answer.status < 400) return answer.status;
  const text = new TextDecoder().decode(answer.body).trim().slice(0, 200);
  throw fail.webhookRefused({ host: url.host, status: answer.status, answer: text });
}
