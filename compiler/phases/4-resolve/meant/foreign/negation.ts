/** The opposite of a condition, in as few characters as can be read at a glance. */
export function negated(condition: string): string {
  if (/^[^&|()]+ == [^&|()]+$/.test(condition)) return condition.replace(' == ', ' != ');
  return /^[a-z]+\([^()]*\)$/.test(condition) ? `!${condition}` : `!(${condition})`;
}
