/** A text in quotes, as a person would write it in YAML: double quotes unless they would need escapes and single ones not. */
export function quoted(text: string): string {
  // eslint-disable-next-line no-control-regex
  if (/["\\]/.test(text) && !/[\0-\x1f\x7f-\x9f\u2028\u2029\ufeff]/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text);
}
