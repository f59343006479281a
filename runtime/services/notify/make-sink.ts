import type { SinkType } from './port.ts';
import type { KnownSink, SinkTools } from './sink.ts';
import { chatSink, hookFields, type HookOptions } from './sinks/chat.ts';
import { discordSink } from './sinks/discord.ts';
import { emailFields, emailSink, type EmailOptions } from './sinks/email.ts';
import { checkOptions, type Field } from './sinks/options.ts';
import { pagerdutyFields, pagerdutySink, type PagerDutyOptions } from './sinks/pagerduty.ts';
import { teamsSink } from './sinks/teams.ts';
import { telegramFields, telegramSink, type TelegramOptions } from './sinks/telegram.ts';
import { webhookFields, webhookSink, type WebhookOptions } from './sinks/webhook.ts';

interface Kind {
  readonly fields: Readonly<Record<string, Field>>;
  /** Options have been checked. */
  make(name: string, options: never, tools: SinkTools): KnownSink;
}

const kinds: Readonly<Record<SinkType, Kind>> = {
  webhook: { fields: webhookFields, make: (name, options: WebhookOptions, tools) => webhookSink(name, options, tools) },
  chat: { fields: hookFields, make: (name, options: HookOptions, tools) => chatSink(name, options, tools) },
  email: { fields: emailFields, make: (name, options: EmailOptions, tools) => emailSink(name, options, tools) },
  telegram: {
    fields: telegramFields,
    make: (name, options: TelegramOptions, tools) => telegramSink(name, options, tools),
  },
  discord: { fields: hookFields, make: (name, options: HookOptions, tools) => discordSink(name, options, tools) },
  teams: { fields: hookFields, make: (name, options: HookOptions, tools) => teamsSink(name, options, tools) },
  pagerduty: {
    fields: pagerdutyFields,
    make: (name, options: PagerDutyOptions, tools) => pagerdutySink(name, options, tools),
  },
};

/** A sink of a type, its options checked, its address not yet. `slack` is an older word for `chat`. */
export function makeSink(
  word: SinkType | 'slack',
  name: string | null,
  options: Readonly<Record<string, unknown>>,
  tools: SinkTools,
): KnownSink {
  const type = word === 'slack' ? 'chat' : word;
  const { fields, make } = kinds[type];
  return make(name ?? type, checkOptions(name ?? type, options, fields) as never, tools);
}
