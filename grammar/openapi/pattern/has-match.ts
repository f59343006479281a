import { readPattern } from './read-pattern.ts';
import type { Pattern } from './read-pattern.ts';

/** Steps of all repetitions written out: more are not tried. */
const MOST_STEPS = 20_000;
/** Steps for all signs of a text together: more are not tried. */
const MOST_WORK = 5_000_000;

/** A step of a search; `next` numbers are steps that are taken without a sign. */
type Step =
  | { readonly kind: 'sign'; readonly fits: (sign: string) => boolean }
  | { readonly kind: 'fork'; next: readonly number[] }
  | { readonly kind: 'place'; readonly at: 'start' | 'end' | 'border' | 'inside' }
  | { readonly kind: 'ahead'; readonly steps: readonly Step[]; readonly isRefused: boolean }
  | { readonly kind: 'found' };

/**
 * Whether a regular expression is found in a text, in time that grows no faster than both together: all ways are
 * followed at once, none is tried again. Undefined for what is not understood, is too large, or is no regular
 * expression.
 */
export function hasMatch(text: string, pattern: string, flags: '' | 'u'): boolean | undefined {
  const tree = readPattern(pattern, flags);
  const steps = tree && stepsOf(tree);
  if (!steps) return undefined;
  const signs = flags === 'u' ? [...text] : text.split('');
  return workOf(steps, signs.length + 1) > MOST_WORK ? undefined : search(steps, signs, 0, true);
}

/** Steps that a search may take: a look ahead may go through the rest of the text for each sign. */
function workOf(steps: readonly Step[], signs: number): number {
  return steps.reduce((sum, step) => sum + (step.kind === 'ahead' ? workOf(step.steps, signs) : 1), 0) * signs;
}

/** The steps of a tree, the last of them `found`; undefined: there are too many. */
function stepsOf(tree: Pattern): readonly Step[] | undefined {
  const steps: Step[] = [];
  const isWhole = write(tree, steps);
  return isWhole ? [...steps, { kind: 'found' }] : undefined;
}

function write(tree: Pattern, steps: Step[]): boolean {
  if (steps.length > MOST_STEPS) return false;
  switch (tree.kind) {
    case 'sign':
    case 'place':
      steps.push(tree);
      return true;
    case 'ahead': {
      const inner = stepsOf(tree.body);
      if (inner) steps.push({ kind: 'ahead', steps: inner, isRefused: tree.isRefused });
      return inner !== undefined && !inner.some(({ kind }) => kind === 'ahead');
    }
    case 'sequence':
      return tree.parts.every((part) => write(part, steps));
    case 'choice':
      return writeChoice(tree.parts, steps);
    case 'repeat':
      return writeRepeat(tree, steps);
  }
}

function writeChoice(parts: readonly Pattern[], steps: Step[]): boolean {
  const choose = fork(steps);
  const starts: number[] = [];
  const ends: Fork[] = [];
  const isWhole = parts.every((part) => {
    starts.push(steps.length);
    const isWritten = write(part, steps);
    ends.push(fork(steps));
    return isWritten;
  });
  choose.next = starts;
  for (const end of ends) end.next = [steps.length];
  return isWhole;
}

function writeRepeat({ body, least, most }: Extract<Pattern, { kind: 'repeat' }>, steps: Step[]): boolean {
  for (let count = 0; count < least; count++) {
    const before = steps.length;
    if (!write(body, steps)) return false;
    // Nothing is nothing, however often.
    if (steps.length === before) return true;
  }
  if (most === Infinity) {
    const start = steps.length;
    const again = fork(steps);
    const isWhole = write(body, steps);
    fork(steps).next = [start];
    again.next = [start + 1, steps.length];
    return isWhole;
  }
  const leaves: [leave: Fork, start: number][] = [];
  let isWhole = true;
  for (let count = least; count < most && isWhole; count++) {
    leaves.push([fork(steps), steps.length]);
    isWhole = write(body, steps);
  }
  for (const [leave, start] of leaves) leave.next = [start, steps.length];
  return isWhole;
}

type Fork = Extract<Step, { kind: 'fork' }>;

function fork(steps: Step[]): Fork {
  const made: Fork = { kind: 'fork', next: [] };
  steps.push(made);
  return made;
}

/** Follows all ways from a sign on; `isAnywhere`: a match may begin at each later sign as well. */
function search(steps: readonly Step[], signs: readonly string[], from: number, isAnywhere: boolean): boolean {
  let waiting: readonly number[] = [0];
  for (let at = from; at <= signs.length; at++) {
    const reached = reach(steps, isAnywhere && at > from ? [...waiting, 0] : waiting, signs, at);
    if (reached === 'found') return true;
    const sign = signs[at];
    if (sign === undefined) return false;
    waiting = reached.filter((number) => {
      const step = steps[number];
      return step?.kind === 'sign' && step.fits(sign);
    });
    waiting = waiting.map((number) => number + 1);
    if (waiting.length === 0 && !isAnywhere) return false;
  }
  return false;
}

/** The steps that wait for a sign, or `found` where none is needed any more. */
function reach(
  steps: readonly Step[],
  starts: readonly number[],
  signs: readonly string[],
  at: number,
): readonly number[] | 'found' {
  const seen = new Set<number>(starts);
  const waiting: number[] = [];
  for (const number of seen) {
    const step = steps[number];
    if (step === undefined) continue;
    if (step.kind === 'found') return 'found';
    if (step.kind === 'sign') waiting.push(number);
    else if (step.kind === 'fork') for (const next of step.next) seen.add(next);
    else if (step.kind === 'place' ? isAt(step.at, signs, at) : search(step.steps, signs, at, false) !== step.isRefused)
      seen.add(number + 1);
  }
  return waiting;
}

function isAt(place: 'start' | 'end' | 'border' | 'inside', signs: readonly string[], at: number): boolean {
  if (place === 'start') return at === 0;
  if (place === 'end') return at === signs.length;
  const isWord = (sign: string | undefined): boolean => sign !== undefined && /^\w$/.test(sign);
  return (isWord(signs[at - 1]) !== isWord(signs[at])) === (place === 'border');
}
