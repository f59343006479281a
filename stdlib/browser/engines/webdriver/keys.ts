import { Key } from 'selenium-webdriver/lib/input.js';

import * as fail from '#schemas/generated/failures.ts';

/** Names that browsers use in keyboard events, where the protocol has others. */
const ofEvents: Readonly<Record<string, string>> = {
  ARROWDOWN: 'ARROW_DOWN',
  ARROWLEFT: 'ARROW_LEFT',
  ARROWRIGHT: 'ARROW_RIGHT',
  ARROWUP: 'ARROW_UP',
  BACKSPACE: 'BACK_SPACE',
  PAGEDOWN: 'PAGE_DOWN',
  PAGEUP: 'PAGE_UP',
};

/**
 * The character that the protocol sends for a key: one character as it is, else a name such as `CONTROL`, `Enter` or
 * `ArrowDown`.
 */
export function keyOf(text: string): string {
  if ([...text].length === 1) return text;
  const key = namedKey(text.toUpperCase());
  if (key === undefined) throw fail.keyUnknown({ key: text });
  return key;
}

/** A list may hold names of keys in capital letters between its texts; a plain text is typed as it is. */
export function typedKeys(keys: string | readonly string[]): readonly string[] {
  if (typeof keys === 'string') return [keys];
  return keys.map((text) => (/^[A-Z][A-Z0-9_]+$/.test(text) ? (namedKey(text) ?? text) : text));
}

function namedKey(name: string): string | undefined {
  const known: Readonly<Record<string, unknown>> = { ...Key };
  const key = known[ofEvents[name] ?? name];
  return typeof key === 'string' ? key : undefined;
}
