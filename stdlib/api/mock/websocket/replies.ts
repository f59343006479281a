import type { WebSocketScript } from './port.ts';

/** The frames that a script answers a message with, in order. */
export function repliesTo(message: string, { replies = {}, fallback }: WebSocketScript): readonly string[] {
  const said = Object.hasOwn(replies, message) ? replies[message] : (fallback ?? (fallback === null ? null : ECHO));
  const list = said === null || said === undefined ? [] : typeof said === 'string' ? [said] : said;
  // By a function: signs such as $& in the message mean nothing.
  return list.map((text) => text.replaceAll(ECHO, () => message));
}

const ECHO = '{{message}}';
