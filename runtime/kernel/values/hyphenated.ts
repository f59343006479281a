/** A UUID of 32 hexadecimal digits in its usual form, with hyphens. */
export function hyphenated(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
