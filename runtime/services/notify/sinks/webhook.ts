import type { KnownSink, SinkTools } from '../sink.ts';
import { JsonSink } from './json-sink.ts';
import { refuse, type Field } from './options.ts';

export const webhookFields: Readonly<Record<string, Field>> = {
  url: { kind: 'address' },
  webhook_url: { kind: 'address' },
  timeout: { kind: 'seconds' },
  extra_headers: { kind: 'headers' },
};

export interface WebhookOptions {
  readonly url?: string;
  /** Another name of `url`. */
  readonly webhook_url?: string;
  readonly timeout?: number;
  /** They win over those that are sent anyway. */
  readonly extra_headers?: Readonly<Record<string, string>>;
}

/** Headers that say how the request itself is sent. */
const ours = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Any service that takes `{"subject", "body", "level"}`. */
export function webhookSink(
  name: string,
  { url, webhook_url, timeout = 10, extra_headers = {} }: WebhookOptions,
  tools: SinkTools,
): KnownSink {
  if (url !== undefined && webhook_url !== undefined)
    throw refuse(name, 'the options "url" and "webhook_url" mean the same: give one of them');
  const address = url ?? webhook_url;
  if (address === undefined) throw refuse(name, 'the option "url" is missing');
  const headers = checkHeaders(name, extra_headers);
  return new JsonSink(
    {
      description: { name, type: 'webhook', url_host: new URL(address).hostname },
      url: address,
      timeoutSeconds: timeout,
      headers,
      secrets: Object.values(headers),
      payload: ({ subject, body, level }) => ({ subject, body, level }),
    },
    tools,
  );
}

function checkHeaders(name: string, given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) {
    const lower = key.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower) || ours.has(lower))
      throw refuse(name, `"${JSON.stringify(key).slice(1, -1)}" cannot be one of "extra_headers"`);
    if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value))
      throw refuse(name, `the value of the header "${lower}" holds a character that no header may hold`);
    headers[lower] = value;
  }
  return headers;
}
