import type { Level, SinkType } from '#runtime/services/notify/port.ts';

import { describeSink, type Shown, type SinkService } from '../conformance/notify-sink.ts';
import { freePort } from '../fixtures/free-port.ts';
import {
  CHAT_PATH,
  DISCORD_PATH,
  ROUTING_KEY,
  startNotifyServices,
  TEAMS_PATH,
  TELEGRAM_TOKEN,
  type Received,
} from '../fixtures/notify-services.ts';

/** A service over HTTP: how it is reached, and what its readers see. */
interface Web {
  readonly longestBody: number;
  readonly showsLevel?: readonly Level[];
  options(url: string): Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
  show(message: Received): Shown;
}

const levels: readonly Level[] = ['info', 'warning', 'error'];
const codes: Readonly<Record<string, Level>> = {
  ':warning: ': 'warning',
  ':rotating_light: ': 'error',
  '⚠️ ': 'warning',
  '🚨 ': 'error',
};

/** A prefix, the subject within its markup, and the body from the second line on. */
function fromText(text: string, markup: RegExp): Shown {
  const [, prefix = '', subject = '', body = ''] =
    new RegExp(`^(:\\w+: |\u26a0\ufe0f |\u{1f6a8} )?${markup.source}\n([^]*)$`, 'u').exec(text) ?? [];
  return { subject, body, level: codes[prefix] ?? 'info' };
}

const services: Readonly<Partial<Record<SinkType, Web>>> = {
  webhook: {
    longestBody: 65_536,
    options: (url) => ({ url: `${url}/hook/verySecretPath0123`, extra_headers: { 'X-Auth-Token': 'header-secret-1' } }),
    secrets: ['verySecretPath0123', 'header-secret-1'],
    show: ({ json }) => ({
      subject: String(json['subject']),
      body: String(json['body']),
      level: json['level'] as Level,
    }),
  },
  chat: {
    longestBody: 40_000,
    options: (url) => ({ webhook_url: url + CHAT_PATH }),
    secrets: [CHAT_PATH],
    show: ({ json }) => fromText(String(json['text']), /\*(.*)\*/),
  },
  telegram: {
    longestBody: 4096,
    options: (url) => ({ bot_token: TELEGRAM_TOKEN, chat_id: -1001, api_url: url }),
    secrets: [TELEGRAM_TOKEN],
    show: ({ json }) => fromText(String(json['text']), /(.*)/),
  },
  discord: {
    longestBody: 1901,
    options: (url) => ({ webhook_url: url + DISCORD_PATH }),
    secrets: [DISCORD_PATH],
    show: ({ json }) => fromText(String(json['content']), /\*\*(.*)\*\*/),
  },
  teams: {
    longestBody: 20_020,
    options: (url) => ({ webhook_url: url + TEAMS_PATH }),
    secrets: [TEAMS_PATH],
    show: ({ json }) => ({
      subject: String(json['title']),
      body: String(json['text']),
      level: ({ '2E86DE': 'info', E67E22: 'warning', C0392B: 'error' } as const)[String(json['themeColor'])] ?? 'info',
    }),
  },
  pagerduty: {
    longestBody: 65_536,
    options: (url) => ({ routing_key: ROUTING_KEY, events_url: `${url}/v2/enqueue` }),
    secrets: [ROUTING_KEY],
    show: ({ json }) => {
      const {
        summary,
        severity,
        custom_details: details,
      } = json['payload'] as { summary: string; severity: Level; custom_details: { body: string } };
      return { subject: summary, body: details.body, level: severity };
    },
  },
};

for (const [type, web] of Object.entries(services))
  describeSink({
    type: type as SinkType,
    longestBody: web.longestBody,
    showsLevel: web.showsLevel ?? levels,
    start: () => startWeb(web),
  });

async function startWeb({ options, secrets, show }: Web): Promise<SinkService> {
  const server = await startNotifyServices();
  return {
    options: options(server.url),
    nowhere: changed(options(server.url), server.url, `http://127.0.0.1:${await freePort()}`),
    secrets,
    shown: () => server.received.filter(({ accepted }) => accepted).map(show),
    refuse: () => server.answer({ status: 500, body: 'out of order' }),
    hang: () => server.answer('hang'),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function changed(
  options: Readonly<Record<string, unknown>>,
  from: string,
  to: string,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(options)
      .filter(([, value]) => typeof value === 'string' && value.startsWith(from))
      .map(([key, value]) => [key, String(value).replace(from, to)]),
  );
}
