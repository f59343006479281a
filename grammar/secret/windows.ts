/** A part of a text; offsets are UTF-16 units, `end` is behind it. */
interface Window {
  readonly start: number;
  end: number;
}

/** Signs of tokens in a row: nearly every token of a service has as many of them. */
const RUN = 15;
/** Signs in front of such a run with which a token may begin: `SG.`, a number and its colon, a shorter run. */
const BEFORE_RUN = 32;
/** Signs in front of a word that may belong to its name, and of the name, the assignment and the value behind it. */
const BEFORE_WORD = 60;
const BEHIND_WORD = 256;

const isSign = new Uint8Array(128);
for (const sign of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-') isSign[sign.charCodeAt(0)] = 1;

function signAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 && isSign[code] === 1;
}

/**
 * Start of the first run of signs of tokens that begins at `from` or behind it; -1: there is none. Only every fifteenth
 * sign is looked at where there are none.
 */
export function nextRun(text: string, from: number): number {
  let start = from;
  for (let at = start + RUN - 1; at < text.length; at = start + RUN - 1) {
    let back = at;
    while (back >= start && signAt(text, back)) back -= 1;
    if (back < start) return start;
    start = back + 1;
  }
  return -1;
}

/** The parts of a text in which tokens may stand, in order and apart: each run, up to the next blank. */
export function* aroundRuns(text: string): Generator<Window> {
  let open: Window | undefined;
  for (let run = nextRun(text, 0); run >= 0; run = nextRun(text, open.end)) {
    const start = Math.max(run - BEFORE_RUN, 0);
    const end = nextBlank(text, run + RUN);
    if (open && start <= open.end) open.end = end;
    else {
      if (open) yield open;
      open = { start, end };
    }
  }
  if (open) yield open;
}

/** The parts of a text between blanks and quotes that hold a run, in order and apart. */
export function* wordsWithRuns(text: string): Generator<Window> {
  for (let run = nextRun(text, 0); run >= 0;) {
    let start = run;
    while (start > 0 && !isEdge(text.charCodeAt(start - 1))) start -= 1;
    let end = run + RUN;
    while (end < text.length && !isEdge(text.charCodeAt(end))) end += 1;
    yield { start, end };
    run = nextRun(text, end);
  }
}

/** Whether a sign is a blank or a quote. */
function isEdge(code: number): boolean {
  return code <= 32 || code === DOUBLE_QUOTE || code === SINGLE_QUOTE;
}

const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;

function nextBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) > 32) at += 1;
  return at;
}

/** The parts of a text in which one of the words of an expression (with `g`) is given a value, in order and apart. */
export function* aroundWords(text: string, words: RegExp): Generator<Window> {
  let open: Window | undefined;
  for (const { index } of text.matchAll(words)) {
    const start = Math.max(index - BEFORE_WORD, 0);
    const end = Math.min(index + BEHIND_WORD, text.length);
    if (open && start <= open.end) open.end = end;
    else {
      if (open) yield open;
      open = { start, end };
    }
  }
  if (open) yield open;
}
