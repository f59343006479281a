import { callProblem, pseudoClassProblem } from './other-tools.ts';

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']' };

/**
 * A mistake that no browser forgives, in words; undefined where there is none. Brackets, quotes, the beginnings of
 * names and the ends of parts are looked at; whether a pseudo-class is known, a browser says.
 */
export function cssProblem(text: string): string | undefined {
  const open: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '\\') at += 1;
    else if (char === '"' || char === "'") {
      const end = endOfString(text, at);
      if (end === undefined) return `the quote ${char} is not closed`;
      at = end;
    } else if (char === '(' && open.length === 0 && !isBehindPseudoClass(text, at)) return callProblem(text);
    else if (closing[char] !== undefined) open.push(closing[char]);
    else if (char === ':' && open.length === 0 && pseudoClassProblem(text, at) !== undefined)
      return pseudoClassProblem(text, at);
    else if (char === ')' || char === ']') {
      if (open.pop() !== char) return `"${char}" closes nothing`;
    } else if ((char === '#' || char === '.') && open.length === 0 && !beginsName(text, at + 1))
      return `"${char}" must be followed by a name`;
  }
  if (open.length > 0) return `"${open.at(-1)}" is missing`;
  if (/[,>+~]\s*$/.test(text) && !/\\[,>+~]\s*$/.test(text)) return `nothing follows "${text.trim().at(-1)}"`;
  return undefined;
}

/** Whether a name with a colon before it ends there. */
function isBehindPseudoClass(text: string, end: number): boolean {
  let at = end;
  while (at > 0 && /[\w\u0080-\uffff-]/.test(text[at - 1] ?? '')) at -= 1;
  return at < end && text[at - 1] === ':';
}

/** Offset of the quote that ends a string. */
function endOfString(text: string, from: number): number | undefined {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === text[from]) return at;
  }
  return undefined;
}

function beginsName(text: string, at: number): boolean {
  return /^(?:-?[A-Za-z_\\\u0080-\uffff]|--)/.test(text.slice(at, at + 3));
}
