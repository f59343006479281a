/** Text between `“…”`, `‘…’` or `«…»`, where these begin and end a text; they are no quotes of YAML or JSON. */
export function betweenCurlyQuotes(text: string): string | undefined {
  return /^(?:[\u201c\u201d\u201e]([^]*)[\u201c\u201d]|[\u2018\u2019\u201a]([^]*)[\u2018\u2019]|\u00ab([^]*)\u00bb)$/
    .exec(text)
    ?.slice(1)
    .find((inside) => inside !== undefined);
}
