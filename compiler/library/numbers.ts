/** A whole number of at least 1; else throws `RangeError`. */
export function count(name: string, value: number): number {
  if (!Number.isInteger(value) || value < 1) throw new RangeError(`${name} must be a whole number of at least 1`);
  return value;
}

/** A number above 0; else throws `RangeError`. */
export function above(name: string, value: number): number {
  if (!(value > 0)) throw new RangeError(`${name} must be above 0`);
  return value;
}

/** A number of at least 0; else throws `RangeError`. */
export function atLeastZero(name: string, value: number): number {
  if (!(value >= 0)) throw new RangeError(`${name} must be at least 0`);
  return value;
}
