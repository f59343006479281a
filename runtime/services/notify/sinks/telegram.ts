import { cutText } from '#grammar/source/cut-text.ts';

import type { KnownSink, SinkTools } from '../sink.ts';
import { oneLine } from './escape.ts';
import { JsonSink } from './json-sink.ts';
import { refuse, type Field } from './options.ts';

export const telegramFields: Readonly<Record<string, Field>> = {
  bot_token: { kind: 'text', required: true },
  chat_id: { kind: 'text-or-number', required: true },
  timeout: { kind: 'seconds' },
  api_url: { kind: 'address' },
};

export interface TelegramOptions {
  readonly bot_token: string;
  readonly chat_id: string | number;
  readonly timeout?: number;
  /** Address of a Bot API server of one's own. */
  readonly api_url?: string;
}

const prefixes = { info: '', warning: '\u26a0\ufe0f ', error: '\ud83d\udea8 ' } as const;
/** The service refuses longer texts. */
const LONGEST = 4096;

/** Texts are sent as they are: without a parse mode the service sees no markup in them. */
export function telegramSink(
  name: string,
  { bot_token: token, chat_id: chatId, timeout = 10, api_url: api = 'https://api.telegram.org' }: TelegramOptions,
  tools: SinkTools,
): KnownSink {
  if (!/^[\w:-]+$/.test(token)) throw refuse(name, 'the option "bot_token" holds characters that no token holds');
  return new JsonSink(
    {
      description: { name, type: 'telegram', chat_id: chatId },
      url: `${api.replace(/\/+$/, '')}/bot${token}/sendMessage`,
      timeoutSeconds: timeout,
      secrets: [token],
      payload: ({ subject, body, level }) => ({
        chat_id: chatId,
        text: cutText(`${prefixes[level]}${oneLine(subject)}\n${body}`, LONGEST),
        disable_web_page_preview: true,
      }),
      objection: (answer) =>
        /"ok"\s*:\s*true/.test(answer) ? undefined : 'its answer does not say that the message was sent',
    },
    tools,
  );
}
