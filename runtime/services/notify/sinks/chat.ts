import { cutText } from '#grammar/source/cut-text.ts';

import type { KnownSink, SinkTools } from '../sink.ts';
import { escapeChat, oneLine } from './escape.ts';
import { JsonSink } from './json-sink.ts';
import type { Field } from './options.ts';

export const hookFields: Readonly<Record<string, Field>> = {
  webhook_url: { kind: 'address', required: true },
  timeout: { kind: 'seconds' },
};

/** Chat, Discord and Teams: the address is all that is needed, and a secret. */
export interface HookOptions {
  readonly webhook_url: string;
  readonly timeout?: number;
}

export const shortcodes = { info: '', warning: ':warning: ', error: ':rotating_light: ' } as const;

/** Longer texts are refused or cut by the service, in the middle of what they show. */
const LONGEST = 40_000;

/** A chat service whose webhooks take `{"text"}` with a light markup. */
export function chatSink(name: string, { webhook_url: url, timeout = 10 }: HookOptions, tools: SinkTools): KnownSink {
  return new JsonSink(
    {
      description: { name, type: 'chat' },
      url,
      timeoutSeconds: timeout,
      payload: ({ subject, body, level }) => ({
        text: cutText(`${shortcodes[level]}*${escapeChat(oneLine(subject))}*\n${escapeChat(body)}`, LONGEST),
      }),
    },
    tools,
  );
}
