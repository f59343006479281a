import { cutText, withinJson } from '#grammar/source/cut-text.ts';
import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';
import { commandRaising } from '#stdlib/command.ts';

import { parseJson } from '#stdlib/http/parse-json.ts';
import { markdownReport } from '../report/markdown.ts';
import { folded } from './folded.ts';

const command = commandRaising('APITesterException');

interface Platform {
  readonly field: 'text' | 'content';
  /** The greatest number of characters in it. */
  readonly longest: number;
  /** The greatest number of bytes as JSON, where the service counts those. */
  readonly bytes?: number;
  /** Words of an answer that is fine by its status, and yet the message was not delivered. */
  readonly objects?: RegExp;
}

/** Payloads of chat services. */
const platforms: Readonly<Record<'chat' | 'chat2' | 'chat3', Platform>> = {
  chat: { field: 'text', longest: 40_000 },
  // It takes 28 KB as they are sent.
  chat2: { field: 'text', longest: 25_000, bytes: 25_000, objects: /delivery failed/i },
  chat3: { field: 'content', longest: 2000 },
};

export const AT_notify_via_webhook = command('AT_notify_via_webhook', async (params, ctx) => {
  const { field, longest, bytes, objects } = platforms[params.platform];
  const url = URL.parse(params.webhook_url);
  if (!url) throw fail.httpAddress({ url: '***' });
  // The address lets its holder write: failures name the host alone.
  maskAddress(url, ctx);
  const cutTo = (limit: number): string => cut(params.summary, Math.min(limit, longest));
  const body = { [field]: bytes === undefined ? cutTo(longest) : withinJson(bytes, cutTo) };
  const answer = await post(url.href, { body, headers: {}, seconds: params.timeout, checked: true }, ctx);
  const said = head(answer.body, ctx);
  if (answer.status < 200 || answer.status >= 300 || objects?.test(said))
    throw fail.webhookRefused({ host: url.host, status: answer.status, answer: said });
  return answer.status;
});

/** Least length (characters) of a path that may be a key: shorter ones stand in innocent texts. */
const KEY_LENGTH = 16;

function maskAddress({ href, pathname, search }: URL, ctx: Base): void {
  ctx.mask(href);
  for (const part of [pathname + search, ...pathname.split('/')]) if (part.length >= KEY_LENGTH) ctx.mask(part);
}

/** Marks a comment as ours, so that the next run finds it. */
const mark = '<!-- svc run -->';
const MOST_PAGES = 10;

export const AT_post_pr_comment = command('AT_post_pr_comment', async (params, ctx) => {
  const base = (params.api_base_url ?? 'https://api.github.com').replace(/\/+$/, '');
  const issue = `${base}/repos/${params.repo.split('/').map(encodeURIComponent).join('/')}/issues`;
  const headers = {
    authorization: `Bearer ${params.token}`,
    accept: 'application/vnd.github+json',
  };
  const report = params.body ?? folded('svc run', markdownReport('svc run', ctx.requestLog.exchanges(ctx.step)));
  const body = { body: cut(`${report}\n\n${mark}`, 65_000, mark) };
  const request = { body, headers, seconds: params.timeout };
  const earlier = params.update ? await findComment(`${issue}/${params.pr_number}/comments`, request, ctx) : undefined;
  const answer =
    earlier === undefined
      ? await post(`${issue}/${params.pr_number}/comments`, request, ctx)
      : await post(`${issue}/comments/${earlier}`, { ...request, method: 'PATCH' }, ctx);
  if (answer.status !== (earlier === undefined ? 201 : 200))
    throw fail.commentRefused({
      repo: params.repo,
      number: params.pr_number,
      status: answer.status,
      answer: head(answer.body, ctx),
    });
  return answer.status;
});

interface Posted {
  readonly body: Json;
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
  /** POST unless given. */
  readonly method?: 'PATCH';
  /** The address came from outside: private places are refused unless the gate is open. */
  readonly checked?: boolean;
}

type Answer = Awaited<ReturnType<Ports['http']['send']>>;

async function post(
  url: string,
  { body, headers, seconds, method, checked }: Posted,
  ctx: Base & Pick<Ports, 'http'>,
): Promise<Answer> {
  return await ctx.http.send({
    method: method ?? 'POST',
    url: new URL(url),
    ...(checked ? { checked } : {}),
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    timeout_ms: seconds * 1000,
    signal: ctx.signal,
  });
}

/** The number of the comment that an earlier run has left; undefined: there is none among the first thousand. */
async function findComment(
  url: string,
  { headers, seconds }: Posted,
  ctx: Base & Pick<Ports, 'http'>,
): Promise<number | undefined> {
  for (let page = 1; page <= MOST_PAGES; page++) {
    const answer = await ctx.http.send({
      method: 'GET',
      url: new URL(`${url}?per_page=100&page=${page}`),
      headers,
      timeout_ms: seconds * 1000,
      signal: ctx.signal,
    });
    const parsed = parseJson(new TextDecoder().decode(answer.body));
    const list =
      answer.status === 200 && 'json' in parsed && Array.isArray(parsed.json) ? (parsed.json as readonly Json[]) : [];
    const ours = list.find((one) => isObject(one) && typeof one['body'] === 'string' && one['body'].includes(mark));
    if (isObject(ours)) return Number((ours as { readonly id?: Json }).id);
    if (list.length < 100) return undefined;
  }
  return undefined;
}

/** A text of at most so many signs that says where it was cut; `end` stays at its end. */
function cut(text: string, longest: number, end = ''): string {
  return cutText(text, longest, `\n… (cut: ${text.length} signs)${end === '' ? '' : `\n\n${end}`}`);
}

function head(body: Uint8Array, ctx: Base): string {
  return ctx.excerpt(new TextDecoder().decode(body).trim(), 200);
}
