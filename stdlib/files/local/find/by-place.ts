/**
 * Orders names with `/` between their parts as a walk finds them: sorted in each folder, a folder before what is in it.
 */
export function byPlace(one: string, other: string): number {
  const [left, right] = [one.split('/'), other.split('/')];
  for (const [index, part] of left.entries()) {
    const against = right[index];
    if (against === undefined) return 1;
    if (part !== against) return part < against ? -1 : 1;
  }
  return left.length - right.length;
}
