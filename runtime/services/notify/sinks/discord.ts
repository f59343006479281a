import type { KnownSink, SinkTools } from '../sink.ts';
import { shortcodes, type HookOptions } from './chat.ts';
import { escapeDiscord, oneLine } from './escape.ts';
import { JsonSink } from './json-sink.ts';

/** Characters of a text before its ellipsis; the service refuses more than 2000. */
const LONGEST = 1900;

export function discordSink(
  name: string,
  { webhook_url: url, timeout = 10 }: HookOptions,
  tools: SinkTools,
): KnownSink {
  return new JsonSink(
    {
      description: { name, type: 'discord' },
      url,
      timeoutSeconds: timeout,
      payload: ({ subject, body, level }) => ({
        content: cut(`${shortcodes[level]}**${escapeDiscord(oneLine(subject))}**\n${escapeDiscord(body)}`),
      }),
    },
    tools,
  );
}

/** Neither in the middle of a character nor behind the backslash that belongs to the next one. */
function cut(content: string): string {
  if (content.length <= LONGEST) return content;
  return `${content
    .slice(0, LONGEST)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/(?<!\\)(?:\\\\)*\\$/, (slashes) => slashes.slice(1))}…`;
}
