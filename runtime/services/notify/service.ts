import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import { NOTIFY_SECONDS } from '#schemas/generated/settings.ts';

import { makeSink } from './make-sink.ts';
import { NotificationManager } from './manager.ts';
import type { Notify } from './port.ts';
import type { SinkTools } from './sink.ts';
import { secretParts } from './sinks/redact.ts';

export const provider: Provider<'notify'> = {
  open: (context) => {
    const { host, settings, port, mask, masked, notice } = context;
    const manager = new NotificationManager(host, {
      limit_seconds: settings.limits?.notify_seconds ?? NOTIFY_SECONDS,
    });
    context.eachRow(() => manager.save());
    const tools: SinkTools = {
      clock: host.clock,
      http: () => port('http'),
      outbound: () => port('outbound'),
      mail: () => port('mail'),
    };
    const gone = atTheEnd(context);
    const prepare: Notify['prepare'] = (type, name, options) => {
      for (const secret of secretsOf(options)) mask(secret);
      const sink = makeSink(type, name, options, tools);
      return {
        check: (signal) => sink.check(signal),
        register: () => {
          manager.register(sink);
          return sink.description;
        },
      };
    };
    return {
      register: async (type, name, options, signal) => {
        const sink = prepare(type, name, options);
        await sink.check(signal);
        return sink.register();
      },
      prepare,
      unregister: (name) => manager.unregister(name),
      unregisterAll: () => manager.unregister_all(),
      list: () => manager.list(),
      configure: (seconds) => manager.configure(seconds),
      send: ({ subject, body, level }, signal) => manager.notify(subject, body, level, signal),
      alert: async (subject, body) => {
        if (!manager.has_sinks) return true;
        const results = await manager
          .notify(inOneLine(masked(subject)), masked(body), 'error', gone)
          .catch((error: unknown) => ({ alert: error instanceof Error ? error.message : String(error) }));
        const troubles = Object.values(results).filter((outcome) => outcome !== 'sent' && outcome !== 'dedup');
        for (const trouble of troubles) notice('warning', trouble);
        return troubles.length < Object.keys(results).length;
      },
    } satisfies Notify;
  },
};

/** Aborted when the unit lets go of what it opened: nothing that is sent in the background outlives it. */
function atTheEnd({ release }: PortContext): AbortSignal {
  const controller = new AbortController();
  release(() => controller.abort(new Error('the run has ended')));
  return controller.signal;
}

/** Names of paths and of watchers may hold anything; no sink may refuse an alert because of that. */
function inOneLine(subject: string): string {
  return subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** Secret parts of a sink's options: keys, passwords, addresses of webhooks, values of headers. */
function secretsOf(options: Readonly<Record<string, unknown>>): readonly string[] {
  const { url, webhook_url: hook, bot_token: token, password, routing_key: key, extra_headers: headers } = options;
  const texts = [
    token,
    password,
    key,
    ...Object.values(typeof headers === 'object' && headers !== null ? headers : {}),
  ];
  return [...[url, hook].filter(isText).flatMap(secretParts), ...texts.filter(isText)];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
