/** Names of commands. */
const commandName = /(?:WR|AT|FA)_\w/g;
const lineEnd = /[\n\r\u2028\u2029]/;
/** Keys that say where commands of modules come from. */
const moduleKeys = /\b(meta|modules)["']?\s{0,64}:/g;
/** Characters between `meta` and the `modules` that belong to it. */
const NEAR = 4096;

/**
 * Whether a text calls commands where actions name them, or lists modules, whose commands have no prefix of ours: a record or
 * a report only speaks of commands. Takes time that grows with the text alone, for strangers write these.
 */
export function isActionText(text: string): boolean {
  for (const { index } of text.matchAll(commandName)) if (isCalledAt(text, index)) return true;
  return listsModules(text);
}

/** Whether a name begins its line, or stands behind a mark of lists and mappings or behind `action:`. */
function isCalledAt(text: string, index: number): boolean {
  const start = /["']/.test(text.charAt(index - 1)) ? index - 1 : index;
  let at = start;
  while (at > 0 && /\s/.test(text.charAt(at - 1))) at -= 1;
  if (at === 0 || lineEnd.test(text.slice(at, start))) return true;
  return /(?:[[{,-]|\baction["']?:)$/.test(text.slice(Math.max(0, at - 10), at));
}

function listsModules(text: string): boolean {
  let meta = Number.NEGATIVE_INFINITY;
  for (const { 0: whole, 1: key, index } of text.matchAll(moduleKeys)) {
    if (key === 'meta') meta = index + whole.length;
    else if (index - meta <= NEAR) return true;
  }
  return false;
}
