/** Reason why a number literal would not keep its value as a JavaScript number (`compiler/language/files.md`). */
export type NumberProblem = 'integer-too-large' | 'number-overflows' | 'number-too-precise';

const MOST_DIGITS = 17;

/**
 * Judges a decimal literal (`-12`, `1.5e3`). An integer literal must be exact; others may have 17 significant digits,
 * zeros at either end not counted, because with those the nearest double is the same number for every reader.
 */
export function numberProblem(literal: string): NumberProblem | undefined {
  const isInteger = /^[-+]?[0-9]+$/.test(literal);
  if (isInteger) return Number.isSafeInteger(Number(literal)) ? undefined : 'integer-too-large';
  if (!Number.isFinite(Number(literal))) return 'number-overflows';
  return significantDigits(literal) > MOST_DIGITS ? 'number-too-precise' : undefined;
}

/** Whether a literal is so plain that `numberProblem` has nothing to say: no exponent, at most 15 characters. */
export function isPlainNumber(length: number, hasExponent: boolean): boolean {
  return length <= 15 && !hasExponent;
}

function significantDigits(literal: string): number {
  const mantissa = literal.replace(/[eE].*$/, '').replace(/[-+.]/g, '');
  return mantissa.replace(/^0+/, '').replace(/0+$/, '').length;
}
