/** Longest piece between quotation marks, and longest text, that a message shows whole (UTF-16 units). */
const QUOTED = 200;
const WHOLE = 1_500;

/**
 * A message in which whatever is quoted at length is cut in its middle, with a mark that says how long it was: the end
 * of a path tells as much as its beginning. Secrets are hidden before: half a secret would not be found any more.
 */
export function shortened(message: string): string {
  if (message.length <= QUOTED) return message;
  const short = message.replaceAll(/"[^"]*"|`[^`]*`/g, (quoted) => {
    const mark = quoted.charAt(0);
    return `${mark}${middleCut(quoted.slice(1, -1), QUOTED)}${mark}`;
  });
  return middleCut(short, WHOLE);
}

/** A text of about `most` units: three quarters of them from its beginning, the rest from its end. */
function middleCut(text: string, most: number): string {
  if (text.length <= most) return text;
  const from = text.length - Math.floor(most / 4);
  const head = text.slice(0, Math.ceil((most * 3) / 4)).replace(/[\ud800-\udbff]$/, '');
  return `${head}… (${text.length} characters) …${text.slice(from).replace(/^[\udc00-\udfff]/, '')}`;
}

/** A message whose last part may be a sentence of somebody else's: it ends with one full stop, not with two. */
export function withOneStop(message: string): string {
  return message.replace(/\.\.$/, '.');
}
