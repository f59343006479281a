import { cutText, withinJson } from '#grammar/source/cut-text.ts';

import type { KnownSink, SinkTools } from '../sink.ts';
import type { HookOptions } from './chat.ts';
import { cutBody } from './cut-body.ts';
import { escapeMarkdown, oneLine } from './escape.ts';
import { JsonSink } from './json-sink.ts';

const colours = { info: '2E86DE', warning: 'E67E22', error: 'C0392B' } as const;
/** The service takes cards of 28 KB, as they are sent: room for the title twice. */
const BODY_BYTES = 20_000;
const TITLE = 1000;

export function teamsSink(name: string, { webhook_url: url, timeout = 10 }: HookOptions, tools: SinkTools): KnownSink {
  return new JsonSink(
    {
      description: { name, type: 'teams' },
      url,
      timeoutSeconds: timeout,
      payload: ({ subject, body, level }) => {
        const title = cutText(oneLine(subject), TITLE);
        const escaped = escapeMarkdown(body);
        return {
          '@type': 'MessageCard',
          '@context': 'https://schema.org/extensions',
          summary: title,
          themeColor: colours[level],
          title,
          text: withinJson(BODY_BYTES, (bytes) => cutBody(escaped, bytes)),
        };
      },
      // Its connectors answer 200 and say in the text that the card was not delivered.
      objection: (answer) =>
        /delivery failed/i.test(answer)
          ? `it answered: ${answer.replace(/\s+/g, ' ').trim().slice(0, 200)}`
          : undefined,
    },
    tools,
  );
}
