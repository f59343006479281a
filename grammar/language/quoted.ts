const ESCAPE = String.raw`\\(?:["'\\/bfnrt]|u[0-9a-fA-F]{4})`;
/**
 * Characters and escapes of one text: the engine keeps a way back for each, so that millions are more than its stack
 * takes.
 */
const MOST = 65_536;

/** A text in double or single quotes, as the small languages write it: JSON's escapes, and `\'`. */
export const QUOTED: string = [`"(?:[^"\\\\]|${ESCAPE}){0,${MOST}}"`, `'(?:[^'\\\\]|${ESCAPE}){0,${MOST}}'`].join('|');

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** The value of a text that `QUOTED` matches. */
export function unquote(quoted: string): string {
  const content = quoted.slice(1, -1);
  if (!content.includes('\\')) return content;
  return content.replace(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (_, hex: string | undefined, escape: string | undefined) =>
    hex === undefined ? (ESCAPES[escape ?? ''] ?? escape ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** A text as `unquote` reads it back: in double quotes. */
export function quote(text: string): string {
  return JSON.stringify(text);
}
