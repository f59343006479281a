/**
 * Strings, operators, brackets, names behind a dot or a sign that calls a function, numbers below 0 with a zero in
 * front, and signs that end a test.
 */
const PIECE =
  /'(?:[^'\\]|\\.){0,20000}'|"(?:[^"\\]|\\.){0,20000}"|\.\s*[A-Za-z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*-?|[a-z][a-z0-9_]*\(|(?<![eE])-0\d|[=!<>]=|&&|\|\||[<>!()[\],?]/gsu;

/** One pair of parentheses or brackets. */
interface Level {
  /** Parentheses around a test, which is no value. */
  readonly isGroup: boolean;
  /** A test that has been negated must not be compared. */
  isNegated: boolean;
  /** A comparison is no value that could be compared again. */
  isCompared: boolean;
  /** A test in parentheses stands in front of the next piece. */
  isBehindGroup: boolean;
}

/**
 * Part of an expression that the library reads, but RFC 9535 does not have; undefined: there is none. Names after a
 * dot hold no hyphen, `!` negates a test and no
 * comparison, a comparison is not compared again, and parentheses stand around tests, not around values.
 */
export function beyondStandard(text: string): { readonly at: number; readonly reason: string } | undefined {
  const levels: Level[] = [levelOf(false)];
  let before = '';
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    const level = levels.at(-1);
    if (!level) return undefined;
    const isBeforeValue = piece === '!' && /^\s*(?:[\d"'-]|(?:true|false|null)\b)/.test(text.slice(index + 1));
    const reason = isBeforeValue ? 'a negation stands before a test, not before a value' : misuse(piece, before, level);
    if (reason !== undefined) return { at: index, reason };
    level.isBehindGroup = false;
    if (/[([]$/.test(piece)) levels.push(levelOf(piece === '('));
    else if (piece === ')' || piece === ']') closeLevel(levels);
    else if (piece === '!') level.isNegated = true;
    else if (isComparison(piece)) level.isCompared = true;
    else if (/^(?:&&|\|\||[,?])$/.test(piece)) level.isNegated = level.isCompared = false;
    before = piece;
  }
  return undefined;
}

function levelOf(isGroup: boolean): Level {
  return { isGroup, isNegated: false, isCompared: false, isBehindGroup: false };
}

function misuse(piece: string, before: string, level: Level): string | undefined {
  if (piece.startsWith('.') && piece.endsWith('-')) return 'a name with a hyphen stands in brackets and quotes';
  if (piece.startsWith('-0')) return 'a number has no zeros in front';
  if (piece === '!' && before === '!') return 'a negation is not negated again without parentheses';
  if (piece === '(' && isComparison(before)) return 'a compared value does not stand in parentheses';
  if (!isComparison(piece)) return undefined;
  if (level.isCompared) return 'a comparison is not compared again';
  if (level.isBehindGroup) return 'a compared value does not stand in parentheses';
  return level.isNegated ? 'a comparison is negated in parentheses only: !(a == b)' : undefined;
}

function isComparison(piece: string): boolean {
  return /^(?:[=!<>]=|[<>])$/.test(piece);
}

function closeLevel(levels: Level[]): void {
  const closed = levels.pop();
  const outer = levels.at(-1);
  if (closed && outer) outer.isBehindGroup = closed.isGroup;
}
