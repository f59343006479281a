import { nearest } from '#grammar/language/nearest.ts';

import type { ParsedSelector, SelectorPart, SelectorProblem } from './ast.ts';
import { cssProblem } from './css.ts';
import { roleProblem } from './role.ts';
import { textProblem } from './text.ts';
import { xpathProblem } from './xpath-text.ts';

export type { ParsedSelector, SelectorPart, SelectorProblem } from './ast.ts';

/** Engines that both browser engines know. */
const sharedEngines = ['css', 'deep_css', 'label', 'placeholder', 'role', 'test_id', 'text', 'xpath'] as const;

/** Engines that only the second browser engine knows, beside those whose names begin with `internal:`. */
const otherEngines: ReadonlySet<string> = new Set([
  ...['css:light', 'xpath:light', 'text:light', 'id', 'id:light', 'nth', 'visible', 'aria-ref'],
  ...['data-testid', 'data-testid:light', 'data-test-id', 'data-test-id:light', 'data-test', 'data-test:light'],
]);

/** Reads a selector, and of CSS its structure. Never throws; names of CSS, and XPath, are left to the browser. */
export function parseSelector(text: string): ParsedSelector {
  const parts = pieces(text).map(([from, to]) => partAt(text, from, to));
  const problem = parts.map(partProblem).find((found) => found !== undefined);
  return problem === undefined ? { parts } : { parts, problem };
}

/** Offsets of the texts between `>>` that stand in no quotes. */
function pieces(text: string): readonly (readonly [from: number, to: number])[] {
  const found: (readonly [number, number])[] = [];
  let from = 0;
  let quote: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '\\') at += 1;
    else if (quote !== undefined) quote = char === quote ? undefined : quote;
    else if ((char === '"' || char === "'" || char === '`') && opensQuote(text, from, at)) quote = char;
    else if (char === '>' && text[at + 1] === '>') {
      found.push([from, at]);
      at += 1;
      from = at + 1;
    }
  }
  return [...found, [from, text.length]];
}

/** An apostrophe inside the words of a text is none: it stands at the beginning of a body, or in brackets. */
function opensQuote(text: string, from: number, at: number): boolean {
  const body = text.slice(from, at);
  return !/^\s*\*?(?:text|label|placeholder|test_id)\s*=\s*\S/.test(body);
}

function partAt(text: string, from: number, to: number): SelectorPart {
  const written = text.slice(from, to);
  const [, star = '', engine, body] = /^\s*(\*?)([A-Za-z_0-9:+-]+)\s*=([\s\S]*)$/.exec(written) ?? [];
  const isEmpty = written.trim() === '';
  const start = isEmpty ? from : from + (written.length - written.trimStart().length);
  const end = start + written.trim().length;
  if (engine !== undefined && body !== undefined)
    return { engine, body: body.trim(), from: start, to: end, captured: star !== '' };
  return { engine: engineOf(written.trim()), body: written.trim(), from: start, to: end, captured: false };
}

function engineOf(body: string): string {
  if (/^["'][\s\S]*["']$/.test(body) && body.length > 1) return 'text';
  return /^\(*\/\/|^\.\./.test(body) ? 'xpath' : 'css';
}

function partProblem(part: SelectorPart): SelectorProblem | undefined {
  const { engine, body, from, to } = part;
  const shared: readonly string[] = sharedEngines;
  const at = (reason: string): SelectorProblem => ({ from, to: Math.max(to, from + 1), reason });
  if (!shared.includes(engine) && !otherEngines.has(engine) && !engine.startsWith('internal:'))
    return at(`there is no engine "${engine}"${suggestion(engine, shared)}`);
  if (body === '') return at('a part is empty');
  if (engine === 'role') return roleProblem(part);
  if (['text', 'label', 'placeholder', 'test_id'].includes(engine)) {
    const reason = textProblem(body);
    return reason === undefined ? undefined : at(reason);
  }
  const reason = languageProblem(engine, body);
  return reason === undefined ? undefined : at(reason);
}

function languageProblem(engine: string, body: string): string | undefined {
  if (engine === 'css' || engine === 'deep_css') return cssProblem(body);
  return engine === 'xpath' || engine === 'xpath:light' ? xpathProblem(body) : undefined;
}

function suggestion(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? `; there are ${known.join(', ')}` : ` (did you mean "${near}"?)`;
}
