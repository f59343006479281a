/**
 * Whether a text may hold more values, keys included, than a document may. Counted are the marks that begin them, so that it
 * is known before memory is spent on them: `,` stands before one, `: ` between two, `[` and `{` are one and begin another,
 * `- ` and `? ` begin one. A text that is shorter than the limit is not looked at.
 */
export function mayHoldMore(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let count = 0;
  for (let at = 0; at < text.length && count <= limit; at += 1) {
    switch (text.charCodeAt(at)) {
      case 44:
        count += 1;
        break;
      case 91:
      case 123:
        count += 2;
        break;
      case 45:
      case 63:
        if (isBlank(text.charCodeAt(at + 1))) count += 1;
        break;
      case 58:
        count += 2;
        break;
    }
  }
  return count > limit;
}

function isBlank(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 10 || unit === 13 || Number.isNaN(unit);
}
