/** Compares two names; runs of digits count as numbers, everything else by code units. */
export function byNumbers(one: string, other: string): number {
  const left = pieces(one);
  const right = pieces(other);
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const order = comparePieces(left[at] ?? '', right[at] ?? '');
    if (order !== 0) return order;
  }
  return left.length - right.length || compare(one, other);
}

function pieces(name: string): readonly string[] {
  return name.match(/\d+|\D+/g) ?? [];
}

function comparePieces(one: string, other: string): number {
  if (!/^\d/.test(one) || !/^\d/.test(other)) return compare(one, other);
  const left = one.replace(/^0+(?=\d)/, '');
  const right = other.replace(/^0+(?=\d)/, '');
  return left.length - right.length || compare(left, right);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
