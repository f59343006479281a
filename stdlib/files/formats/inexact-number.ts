import { scanJson } from '#grammar/document/json/scan.ts';
import { numberProblem } from '#grammar/document/number.ts';

/** The first number in a JSON text that would not stay the same number in a result; undefined without one. */
export function inexactNumber(text: string): string | undefined {
  const { numbers } = scanJson(text, Infinity);
  for (let index = 0; index < numbers.length; index += 2) {
    const literal = text.slice(numbers[index], numbers[index + 1]);
    if (numberProblem(literal) !== undefined) return literal;
  }
  return undefined;
}
