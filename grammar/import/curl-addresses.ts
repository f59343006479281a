/** Requests that a pattern becomes at most: more are a load, not a test. */
const MOST = 20;

/**
 * Addresses that a pattern of curl stands for: `{a,b}`, `[1-3]`, `[001-100:10]`, `[a-z]`; the first piece changes last,
 * and a sign behind a backslash is itself. Undefined: it holds none, is none that curl takes, or stands for more than
 * twenty.
 */
export function expandAddress(text: string): readonly string[] | undefined {
  const pieces = piecesOf(text);
  if (!pieces?.some((piece) => typeof piece !== 'string' || isSign(piece))) return undefined;
  let addresses: readonly string[] = [''];
  for (const piece of pieces) {
    const next = typeof piece !== 'string' ? piece : [isSign(piece) ? piece.slice(1) : piece];
    if (addresses.length * next.length > MOST) return undefined;
    addresses = addresses.flatMap((before) => next.map((one) => before + one));
  }
  return addresses;
}

/** Whether an address holds signs that curl would take for a pattern. */
export function isPattern(text: string): boolean {
  const plain = text.replaceAll(/\$\{env:[^}]*\}/g, '').replace(/^[a-z]+:\/\/\[[^\]]*\]/i, '');
  return /[[{]/.test(plain);
}

/** The last segment of a path, of a file or an address. */
export function lastSegment(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Whether a piece is a backslash with the sign that it keeps. */
function isSign(text: string): boolean {
  return /^\\[{}[\]]$/.test(text);
}

/** A host of version 6, a reference, a set, a range, a sign behind a backslash or text. */
const piece =
  /^(?:[a-z]+:\/\/)?\[[\dA-Fa-f]*:[\dA-Fa-f:.%]*\]|\$\{env:[^}]*\}|\{(?<set>[^{}[\]]*)\}|\[(?<range>[^{}[\]]*)\]|\\(?:[}[\]]|\{(?!\{))|(?:[^{}[\]$\\]|\\(?![{}[\]]))+|\$(?!\{)/y;

function piecesOf(text: string): readonly (string | readonly string[])[] | undefined {
  const pieces: (string | readonly string[])[] = [];
  piece.lastIndex = 0;
  while (piece.lastIndex < text.length) {
    const match = piece.exec(text);
    if (!match) return undefined;
    const { set, range } = match.groups ?? {};
    const several = set === undefined ? (range === undefined ? undefined : rangeOf(range)) : set.split(',');
    if (range !== undefined && several === undefined) return undefined;
    pieces.push(several ?? match[0]);
  }
  return pieces;
}

function rangeOf(text: string): readonly string[] | undefined {
  const match = /^(?:(\d{1,15})-(\d{1,15})|([a-z])-([a-z])|([A-Z])-([A-Z]))(?::(\d{1,9}))?$/.exec(text);
  if (!match) return undefined;
  const [, low, high, ...letters] = match;
  const [from, to] = letters.slice(0, 4).filter((letter) => letter !== undefined);
  const step = Number(match[7] ?? 1);
  if (low !== undefined && high !== undefined) {
    const width = low.startsWith('0') ? low.length : 1;
    return counted(Number(low), Number(high), step)?.map((number) => String(number).padStart(width, '0'));
  }
  return counted(from?.charCodeAt(0) ?? 0, to?.charCodeAt(0) ?? 0, step)?.map((code) => String.fromCharCode(code));
}

function counted(from: number, to: number, step: number): readonly number[] | undefined {
  if (to < from || step < 1 || (to - from) / step >= MOST) return undefined;
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
}
