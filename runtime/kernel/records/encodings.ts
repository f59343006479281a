/** What a secret looks like in other clothes; texts shorter than this would hide innocent ones. */
const SHORTEST = 6;

/** The forms in which a secret may stand in a text: as it is, URL-, JSON- and base64-encoded, in a page, and line by line. */
export function encodings(secret: string): readonly string[] {
  const found = new Set<string>([secret]);
  for (const line of secret.split(/\r?\n/)) if (line.length >= 8) found.add(line);
  for (const text of [...found]) {
    for (const encoded of jsonEncoded(text)) found.add(encoded);
    for (const encoded of markup(text)) found.add(encoded);
    for (const encoded of urlEncoded(text)) found.add(encoded);
  }
  for (const encoded of base64(secret)) if (encoded.length >= SHORTEST) found.add(encoded);
  return [...found];
}

/** As it is, and as those write it who escape slashes, or everything beyond ASCII. */
function jsonEncoded(text: string): readonly string[] {
  const plain = JSON.stringify(text).slice(1, -1);
  const ascii = plain.replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return [plain, ascii, plain.replaceAll('/', '\\/')];
}

/** In a page: in text, where quotes may stand, and in attributes. */
function markup(text: string): readonly string[] {
  const content = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [content, content.replaceAll('"', '&quot;'), content.replaceAll('"', '&quot;').replaceAll("'", '&#39;')];
}

function urlEncoded(text: string): readonly string[] {
  if (!text.isWellFormed()) return [];
  const encoded = encodeURIComponent(text);
  const form = new URLSearchParams({ '': text }).toString().slice(1);
  return [encoded, encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()), encodeURI(text), form];
}

/**
 * Base64 of the secret alone, and the stable middle of its base64 inside longer data (`user:password` in a header): it
 * depends on the place only by its remainder from three. The one or two characters at the ends tell less than a byte.
 */
function base64(secret: string): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  const found: string[] = [];
  for (let offset = 0; offset < 3; offset++) {
    const shifted = new Uint8Array(offset + bytes.length);
    shifted.set(bytes, offset);
    const text = btoa(Array.from(shifted, (byte) => String.fromCharCode(byte)).join(''));
    const stable = text.slice(Math.ceil((offset * 8) / 6), Math.floor((shifted.length * 8) / 6));
    found.push(stable, stable.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return found;
}
