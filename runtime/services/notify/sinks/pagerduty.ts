import { cutText } from '#grammar/source/cut-text.ts';

import type { KnownSink, SinkTools } from '../sink.ts';
import { oneLine } from './escape.ts';
import { JsonSink } from './json-sink.ts';
import type { Field } from './options.ts';

export const pagerdutyFields: Readonly<Record<string, Field>> = {
  routing_key: { kind: 'text', required: true },
  source: { kind: 'text' },
  timeout: { kind: 'seconds' },
  resolve_on_info: { kind: 'yes-no' },
  events_url: { kind: 'address' },
};

export interface PagerDutyOptions {
  readonly routing_key: string;
  readonly source?: string;
  readonly timeout?: number;
  /** A message of level info closes what one with the same subject opened, instead of opening something. */
  readonly resolve_on_info?: boolean;
  /** Address of another region of the service. */
  readonly events_url?: string;
}

/** Characters that the service takes. */
const SUMMARY = 1024;
const DEDUP_KEY = 255;

/** Events of one source with one subject belong together: the service opens one incident for them. */
export function pagerdutySink(name: string, options: PagerDutyOptions, tools: SinkTools): KnownSink {
  const {
    routing_key: key,
    source = 'svc',
    timeout = 10,
    resolve_on_info: resolves = false,
    events_url: url = 'https://events.pagerduty.com/v2/enqueue',
  } = options;
  return new JsonSink(
    {
      description: { name, type: 'pagerduty', source },
      url,
      timeoutSeconds: timeout,
      secrets: [key],
      payload: ({ subject, body, level }) => {
        const summary = oneLine(subject);
        const event = { routing_key: key, dedup_key: cutText(`${source}: ${summary}`, DEDUP_KEY, '') };
        if (resolves && level === 'info') return { ...event, event_action: 'resolve' };
        return {
          ...event,
          event_action: 'trigger',
          payload: { summary: cutText(summary, SUMMARY), source, severity: level, custom_details: { body } },
        };
      },
    },
    tools,
  );
}
