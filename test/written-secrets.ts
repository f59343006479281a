/** Form in which servers, pages, files and logs write a text. */
export type Writing = (text: string) => string;

export const base64: Writing = (text) => Buffer.from(text).toString('base64');
export const everyByte: Writing = (text) =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const everyUnit: Writing = (text) =>
  text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const json: Writing = (text) => JSON.stringify(text).slice(1, -1);
const numbers = (text: string, write: (code: number) => string): string =>
  Array.from(text, (letter) => `&#${write(letter.codePointAt(0) ?? 0)};`).join('');

/**
 * Those that keep a text's place: each letter is written as it is or by an escape. Each may be done to what another has
 * made.
 */
export const escapes: Readonly<Record<string, Writing>> = {
  json,
  'json of ASCII': (text) => json(text).replaceAll(/[\u0080-\uffff]/g, everyUnit),
  'json with escaped slashes': (text) => json(text).replaceAll('/', '\\/'),
  'every letter as \\uXXXX': everyUnit,
  'every letter as \\uXXXX, capital digits': (text) =>
    everyUnit(text).replaceAll(/[a-f]/g, (digit) => digit.toUpperCase()),
  'every byte in percent': everyByte,
  'every byte in percent, capital digits': (text) => everyByte(text).toUpperCase(),
  'every second letter in percent': (text) =>
    Array.from(text, (letter, index) => (index % 2 === 0 ? everyByte(letter) : encodeURIComponent(letter))).join(''),
  'a part of an address': encodeURIComponent,
  'an address': encodeURI,
  'a form': (text) => new URLSearchParams({ '': text }).toString().slice(1),
  'a page': (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
  'a page, every letter by its number': (text) => numbers(text, String),
  'a page, in hex': (text) => numbers(text, (code) => `x${code.toString(16)}`),
};

/** Those of bytes, with what may stand around the secret. */
export const codes: Readonly<Record<string, Writing>> = {
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex, capital digits': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'hex among others': (text) => Buffer.from(`ada:${text}:x`).toString('hex'),
  base64,
  'base64 for addresses': (text) => Buffer.from(text).toString('base64url'),
  'base64 of a user and a password': (text) => base64(`ada:${text}`),
  'base64 of JSON': (text) => base64(JSON.stringify({ password: text })),
  'base64 in lines of 76': (text) => inLines(text, 50, 76, '\r\n'),
  'base64 in lines of 76, a letter to the left': (text) => inLines(text, 49, 76, '\n'),
  'base64 in lines of 64': (text) => inLines(text, 38, 64, '\n'),
};

function inLines(text: string, before: number, length: number, end: string): string {
  return base64(`${'x'.repeat(before)}${text}${'y'.repeat(90)}`).replaceAll(
    new RegExp(`.{${length}}`, 'g'),
    `$&${end}`,
  );
}

/** A text with all that may be read in it: base64 and hex of its words, lines joined. */
export function readings(text: string): string {
  const joined = text.replaceAll(/(?:\\+[rn]|%0[dDaA]|[\r\n]|&#x?[ad]+;|&#1[03];)+/g, '');
  const words = [...new Set([text, joined].flatMap((each) => each.match(/[A-Za-z0-9+/_-]{8,}/g) ?? []))];
  const bytes = words.flatMap((word) => [0, 1, 2, 3].map((at) => Buffer.from(word.slice(at), 'base64').toString()));
  return [
    text,
    ...bytes,
    ...words.flatMap((word) => [0, 1].map((at) => Buffer.from(word.slice(at), 'hex').toString())),
  ].join('\n');
}
