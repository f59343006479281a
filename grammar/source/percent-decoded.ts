/** A text without its percent escapes; itself where one of its percent signs begins none, or they hold no UTF-8. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
