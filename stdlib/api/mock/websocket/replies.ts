import type { WebSocketScript } from './port.ts';

/** The frames that a script answers a message with, in order. */
export function repliesTo(message: string, { replies = {}, fallback }: WebSocketScript): readonly string[] {
  const said = Object.hasOwn(replies, message) ? replies[message] : (fallback ?? (fallback === null ? null : ECHO));
  // By a function: signs such as $& in the message mean nothing.
  return frames(said ?? null).map((text) => text.replaceAll(ECHO, () => message));
}

/** The frames of a reply, as they are. */
export function frames(said: string | null | readonly string[]): readonly string[] {
  return said === null ? [] : typeof said === 'string' ? [said] : said;
}

const ECHO = '{{message}}';
