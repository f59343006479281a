import { addressForms } from './address-forms.ts';
import { Unescaper } from './unescaper.ts';

/** Encoded texts shorter than this would hide innocent ones. */
const SHORTEST = 6;
/** Layers of escapes that a text may have. */
export const LAYERS = 4;
const everything = /* @__PURE__ */ new Unescaper();
const encoder = /* @__PURE__ */ new TextEncoder();
/** Quotes of a text as SQL, tables and shells write them between such quotes. */
const insideQuotes = [
  ["'", "''"],
  ["'", "'\\''"],
  ['"', '""'],
] as const;

/**
 * The texts by which a secret is found: as it is, each longer line of it, an address as parsers write it, what is left
 * of it when a reader takes escapes away that are part of it, and base64 and hex. Escapes around it are taken from the
 * text that is searched.
 */
export function writtenForms(secret: string): ReadonlySet<string> {
  const whole = [secret, secret.trim(), ...addressForms(secret)];
  const plain = new Set(whole);
  for (const line of secret.split(/\r?\n/)) if (line.length >= 8) plain.add(line);
  // Forms write blanks so.
  for (const text of [...plain]) if (text.includes(' ')) plain.add(text.replaceAll(' ', '+'));
  for (const text of [...plain])
    for (const [quote, written] of insideQuotes) plain.add(text.replaceAll(quote, () => written));
  for (const text of [...plain]) for (const less of unescaped(text)) plain.add(less);
  const found = new Set(plain);
  for (const text of new Set(whole.flatMap((each) => [each, ...asSent(each)]))) {
    const bytes = encoder.encode(text);
    for (const encoded of [...base64(bytes), ...hex(bytes)]) if (encoded.length >= SHORTEST) found.add(encoded);
  }
  return found;
}

/** A text without the escapes that it holds, layer by layer. */
function unescaped(text: string): readonly string[] {
  const found: string[] = [];
  let layer = everything.unescape(text);
  while (layer && found.length < LAYERS) {
    found.push(layer.text);
    layer = everything.unescape(layer.text);
  }
  return found;
}

/** Forms of a text in a body of JSON, in an address and in a form, which may be encoded as a whole. */
function asSent(text: string): readonly string[] {
  const json = JSON.stringify(text).slice(1, -1);
  return text.isWellFormed()
    ? [json, encodeURIComponent(text), new URLSearchParams({ '': text }).toString().slice(1)]
    : [json];
}

/**
 * Base64 of the secret alone, and the stable middle of its base64 inside longer data (`user:password` in a header): it
 * depends on the place only by its remainder from three. The one or two characters at the ends tell less than a byte.
 */
function base64(bytes: Uint8Array): readonly string[] {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const found: string[] = [];
  for (let offset = 0; offset < 3; offset++) {
    const text = btoa('\0'.repeat(offset) + binary);
    const stable = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    found.push(stable, stable.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return found;
}

function hex(bytes: Uint8Array): readonly string[] {
  let digits = '';
  for (const byte of bytes) digits += (byte < 16 ? '0' : '') + byte.toString(16);
  return [digits, digits.toUpperCase()];
}
