import { hex } from '#grammar/source/text.ts';

/** Characters that JSON leaves as they are, and readers or people do not see or do not allow. */
const INVISIBLE = /[\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;

/**
 * A text in quotes, as a person would write it in YAML: double quotes unless they would need escapes and single ones
 * not.
 */
export function quoted(text: string): string {
  if (/["\\]/.test(text) && text.search(INVISIBLE) < 0 && !/[\0-\x1f]/.test(text))
    return `'${text.replaceAll("'", "''")}'`;
  return doubleQuoted(text);
}

/** A text in double quotes, with the escapes that JSON and YAML share. */
export function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(INVISIBLE, (character) => `\\u${hex(character.charCodeAt(0), 4).toLowerCase()}`);
}
