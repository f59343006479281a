/** Percent-encodes all but letters, digits, `-`, `.`, `_` and `~`, as services do that sign addresses. */
export function strictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
