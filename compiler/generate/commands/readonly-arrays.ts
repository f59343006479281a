/**
 * Makes every array type of a declaration text read-only: parameters are never mutated, and results may be read-only
 * lists.
 */
export function readonlyArrays(text: string): string {
  const hidden: string[] = [];
  // Comments and texts may hold brackets of their own.
  const bare = text.replace(/\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\.)*"/g, (found) => `\u0000${hidden.push(found) - 1}\u0000`);
  return markArrays(bare).replace(/\u0000(\d+)\u0000/g, (_, index: string) => hidden[Number(index)] ?? '');
}

/** Marks arrays from the innermost element outwards, since an element's own arrays stand before its brackets. */
function markArrays(text: string): string {
  let result = text;
  for (let at = result.indexOf('[]'); at >= 0; at = result.indexOf('[]')) {
    const start = elementStart(result, at);
    result = `${result.slice(0, start)}ReadonlyArray<${unwrapped(result.slice(start, at))}>${result.slice(at + 2)}`;
  }
  return result;
}

/** Start of the type in front of `[]`: a name, or a bracket and what it encloses. */
function elementStart(text: string, end: number): number {
  const last = text[end - 1] ?? '';
  if (!')}>]'.includes(last)) return end - (/[\w\u0000]+$/.exec(text.slice(0, end))?.[0].length ?? 0);
  let depth = 0;
  for (let at = end - 1; at >= 0; at--) {
    if (')}>]'.includes(text[at] ?? '')) depth++;
    if ('({<['.includes(text[at] ?? '')) depth--;
    if (depth === 0) return last === '>' ? elementStart(text, at) : at;
  }
  throw new Error('brackets of a generated type do not match');
}

function unwrapped(element: string): string {
  return element.startsWith('(') && element.endsWith(')') && !element.slice(1, -1).includes('(')
    ? element.slice(1, -1)
    : element;
}
