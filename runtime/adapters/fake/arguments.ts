import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

/** Parameters of a maker, in the order of its positions: a default, or the values that are allowed. */
export type Takes = Readonly<Record<string, Json>>;

/** Arguments by name, with what was not given at its default; numbers stay numbers, texts stay texts. */
export class Arguments {
  readonly #maker: string;
  readonly #values: ReadonlyMap<string, Json>;

  constructor(maker: string, values: ReadonlyMap<string, Json>) {
    this.#maker = maker;
    this.#values = values;
  }

  number(name: string): number {
    const value = this.#values.get(name);
    if (typeof value !== 'number' || !Number.isFinite(value)) throw this.unfit(name, 'a number');
    return value;
  }

  /** A whole number within limits. */
  count(name: string, least: number, most: number): number {
    const value = this.number(name);
    if (!Number.isInteger(value) || value < least || value > most)
      throw this.unfit(name, `a whole number from ${least} to ${most}`);
    return value;
  }

  text(name: string): string {
    const value = this.#values.get(name);
    if (typeof value !== 'string') throw this.unfit(name, 'a text');
    return value;
  }

  flag(name: string): boolean {
    const value = this.#values.get(name);
    if (typeof value !== 'boolean') throw this.unfit(name, 'true or false');
    return value;
  }

  list(name: string): readonly Json[] {
    const value = this.#values.get(name);
    if (!Array.isArray(value) || value.length === 0) throw this.unfit(name, 'a list with at least one value');
    return value;
  }

  unfit(name: string, expected: string): Error {
    return fail.fakeArgumentUnfit({ maker: this.#maker, name, expected });
  }
}

/**
 * Joins values by position and by name; fails where there are too many, two for one, or one that the maker does not
 * take.
 */
export function argumentsOf(
  maker: string,
  takes: Takes,
  positional: readonly Json[],
  named: Readonly<Record<string, Json>>,
): Arguments {
  const names = Object.keys(takes);
  const values = new Map<string, Json>(Object.entries(takes));
  const expected = names.length === 0 ? 'nothing' : names.join(', ');
  for (const [index, value] of positional.entries()) {
    const name = names[index];
    if (name === undefined) throw fail.fakeArgumentUnfit({ maker, name: `position ${index + 1}`, expected });
    values.set(name, value);
  }
  for (const [name, value] of Object.entries(named)) {
    const place = names.indexOf(name);
    if (place < 0) throw fail.fakeArgumentUnfit({ maker, name, expected });
    if (place < positional.length) throw fail.fakeArgumentUnfit({ maker, name, expected: 'given once' });
    values.set(name, value);
  }
  return new Arguments(maker, values);
}
