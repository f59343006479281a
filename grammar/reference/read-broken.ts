import type { Range } from '#grammar/language/problem.ts';

import type { ReadReference } from './parser.ts';
import { readText, type ReadBroken } from './scan.ts';
import { MOST_LENGTH, type ParsedText, type ReferenceProblem } from './ast.ts';

/**
 * Problems of one text, after which it is likely no text with references at all: code, or another template language.
 */
const MOST_PROBLEMS = 20;

/** Reads any text: the scanner what is well formed, the grammar of one reference what is not. Linear. */
export function readWithGrammar(text: string, grammar: (text: string) => ReadReference, ranges?: Range[]): ParsedText {
  let problems = 0;
  const read = (whole: string, at: number): ReturnType<ReadBroken> => {
    if (problems >= MOST_PROBLEMS) return { end: at + 2 };
    const { ref, end, problem } = grammar(whole.slice(at, at + MOST_LENGTH));
    if (problem === undefined) return ref === undefined ? { end: at + 2 } : { ref, end: at + end };
    problems += 1;
    if (problem.key === 'not-closed' && isClosedFurtherOn(whole, at))
      return {
        end: at + MOST_LENGTH,
        problem: { key: 'too-long', from: at + problem.from, to: at + problem.to, expected: String(MOST_LENGTH) },
      };
    return { end: at + Math.max(2, end), problem: shifted(problem, at) };
  };
  return readText(text, read, ranges) ?? { parts: [text], problems: [] };
}

/** Whether the mark at `at` is closed behind the longest reference that there may be. */
function isClosedFurtherOn(text: string, at: number): boolean {
  return text.includes(text.startsWith('{{', at) ? '}}' : '}', at + MOST_LENGTH - 1);
}

/** A problem of a reference as one of the text in which that begins at `by`. */
export function shifted(problem: ReferenceProblem, by: number): ReferenceProblem {
  const { from, to, whole } = problem;
  const moved = whole && { whole: { ...whole, from: whole.from + by, to: whole.to + by } };
  return { ...problem, from: from + by, to: to + by, ...moved };
}
