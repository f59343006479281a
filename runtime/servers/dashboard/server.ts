import type { IncomingMessage } from 'node:http';

import type { Markup } from '#grammar/markup/html.ts';

import { WRONG_SECRET_MS, type OpenServer, type ServerOptions, type Surroundings } from '../open-server.ts';
import { openPageServer, type Page } from '../page-server.ts';
import { isBearer, isSecret } from '../secret.ts';
import { healthPart, indexPage, jobsPart, progressPart, registryPart, script, signInPage, style } from './pages.ts';
import { SignedIn } from './signed-in.ts';

export interface DashboardOptions extends ServerOptions {
  readonly secret: string | null;
}

/** Surroundings that dashboards are given: they read, and change nothing. */
export interface DashboardSurroundings extends Pick<Surroundings, 'lookup' | 'clock'> {
  readonly calls: Pick<Surroundings['calls'], 'commands' | 'transfers' | 'jobs'>;
  /** 32 random bytes and more, as text. */
  readonly token: () => string;
}

/** The largest form that is read. */
const MOST_FORM = 4096;

/**
 * The read-only dashboard: health, transfers, jobs and commands. With a secret each request needs it, as a bearer token
 * or by the sign-in form.
 */
export function openDashboard(options: DashboardOptions, around: DashboardSurroundings): Promise<OpenServer> {
  const { secret } = options;
  const signedIn = new SignedIn(around.token);
  return openPageServer(
    {
      ...options,
      server: 'dashboard',
      page: async (message): Promise<Page> => {
        if (secret !== null && message.method === 'POST' && message.url === '/sign-in')
          return signIn(message, secret, signedIn, around);
        if (message.method !== 'GET') return { ...text(405, 'GET alone'), headers: { ...htmlHeaders, allow: 'GET' } };
        const isIn = secret === null || isBearer(message.headers.authorization, secret) || signedIn.has(message);
        return isIn ? pageOf(message, around) : unauthorized(message, around);
      },
    },
    around,
  );
}

async function pageOf({ url = '' }: IncomingMessage, { calls, clock }: DashboardSurroundings): Promise<Page> {
  switch (url.split('?')[0]) {
    case '/':
    case '/index.html':
      return markup(indexPage());
    case '/ui/health':
      return markup(healthPart({ commands: (await calls.commands()).length, time: localTime(clock.now()) }));
    case '/ui/progress':
      return markup(progressPart(calls.transfers()));
    case '/ui/jobs':
      return markup(jobsPart(calls.jobs()));
    case '/ui/registry':
      return markup(registryPart((await calls.commands()).map(({ name }) => name)));
    case '/ui/refresh.js':
      return asset('text/javascript; charset=utf-8', script);
    case '/ui/style.css':
      return asset('text/css; charset=utf-8', style);
    default:
      return text(404, 'not found');
  }
}

/** Answer to a request without a sign-in: a browser gets the form, everything else one line of text. */
export async function unauthorized(
  { url, headers: given }: IncomingMessage,
  { clock }: Pick<DashboardSurroundings, 'clock'>,
): Promise<Page> {
  if (given.authorization !== undefined) await clock.sleep(WRONG_SECRET_MS);
  if (url === '/ui/style.css') return asset('text/css; charset=utf-8', style);
  const { headers, ...page } = url === '/' || url === '/index.html' ? markup(signInPage(false)) : text(401, 'sign in');
  return { ...page, status: 401, headers: { ...headers, 'www-authenticate': 'Bearer' } };
}

export async function signIn(
  message: IncomingMessage,
  secret: string,
  signedIn: SignedIn,
  { clock }: Pick<DashboardSurroundings, 'clock'>,
): Promise<Page> {
  const given = new URLSearchParams(await formOf(message)).get('secret') ?? undefined;
  if (!isSecret(given, secret)) {
    await clock.sleep(WRONG_SECRET_MS);
    return { ...markup(signInPage(true)), status: 401 };
  }
  return {
    status: 303,
    headers: { location: '/', 'set-cookie': signedIn.add(), 'cache-control': 'no-store' },
    text: '',
  };
}

async function formOf(message: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of message as AsyncIterable<Buffer>) {
    body += chunk.toString('utf8');
    if (body.length > MOST_FORM) return '';
  }
  return body;
}

export const htmlHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
};

export function markup(page: Markup): Page {
  return { status: 200, headers: htmlHeaders, text: page.text };
}

export function text(status: number, words: string): Page {
  return { status, headers: htmlHeaders, text: words };
}

export function asset(type: string, content: string): Page {
  return { status: 200, headers: { ...htmlHeaders, 'content-type': type }, text: content };
}

function localTime(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
