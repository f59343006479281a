/**
 * Start of the quoted text or the bracket that is open at `end`, for a text that the YAML reader left in such a
 * state; undefined where this look at single characters finds none.
 */
export function unclosedAt(text: string, end: number): number | undefined {
  const open: number[] = [];
  for (let at = 0; at < end; at += 1) {
    const mark = text.charAt(at);
    if (mark === '#' && /^$|\s/.test(text.charAt(at - 1))) at = lineEnd(text, at) - 1;
    else if ((mark === '"' || mark === "'") && beginsValue(text, at, open.length > 0)) {
      const close = closingQuote(text, at, end);
      if (close < 0) return at;
      at = close;
    } else if ((mark === '[' || mark === '{') && (open.length > 0 || beginsValue(text, at, false))) open.push(at);
    else if ((mark === ']' || mark === '}') && open.length > 0) open.pop();
  }
  return open.at(-1);
}

/**
 * Whether a value can begin here: at the start of a line, behind `: `, `- ` or `? `, or (in a flow collection) behind
 * `,`, `[`, `{`.
 */
function beginsValue(text: string, at: number, inFlow: boolean): boolean {
  const before = text.slice(Math.max(0, at - 200), at);
  return inFlow ? /(?:[,[{:]|^)\s*$/.test(before) : /(?:^|\n|\r|[:?-][ \t])[ \t]*(?:[&!]\S*[ \t]+)*$/.test(before);
}

function closingQuote(text: string, at: number, end: number): number {
  const quote = text.charCodeAt(at);
  for (let next = at + 1; next < end; next += 1) {
    const unit = text.charCodeAt(next);
    if (unit === 92 && quote === 34) next += 1;
    else if (unit === quote && (quote === 34 || text.charCodeAt(next + 1) !== 39)) return next;
    // Two single quotes stand for one.
    else if (unit === quote) next += 1;
  }
  return -1;
}

function lineEnd(text: string, at: number): number {
  const found = text.slice(at).search(/[\r\n]/);
  return found < 0 ? text.length : at + found;
}
