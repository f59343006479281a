/**
 * The order of two semantic versions: below 0, 0 or above 0. Build metadata does not count; what is no version comes
 * first.
 */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [readVersion(left), readVersion(right)];
  if (!a || !b) return Number(a !== undefined) - Number(b !== undefined);
  for (let index = 0; index < 3; index++) {
    const difference = (a.numbers[index] ?? 0) - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePreRelease(a.before, b.before);
}

interface Version {
  readonly numbers: readonly number[];
  readonly before: readonly string[];
}

function readVersion(text: string): Version | undefined {
  const [, numbers, before] =
    /^v?(\d+(?:\.\d+){0,2})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(text.trim()) ?? [];
  if (numbers === undefined) return undefined;
  return { numbers: numbers.split('.').map(Number), before: before === undefined ? [] : before.split('.') };
}

/** A version with a pre-release comes before the one without; numbers come before texts. */
function comparePreRelease(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return Number(left.length === 0) - Number(right.length === 0);
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [a, b] = [left[index], right[index]];
    if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
    if (a === b) continue;
    const [isNumber, isOther] = [/^\d+$/.test(a), /^\d+$/.test(b)];
    if (isNumber && isOther) return Number(a) - Number(b);
    if (isNumber !== isOther) return isNumber ? -1 : 1;
    return a < b ? -1 : 1;
  }
  return 0;
}
