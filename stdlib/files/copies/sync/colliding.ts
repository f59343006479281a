const ascii = /^[\0-\x7f]*$/;
/** Names of these characters alone are their own keys. */
const lower = /^[\0-@[-\x7f]*$/;

/**
 * Names of a folder that a file system without letter case, or without forms of accents, would take for one another.
 */
export function colliding(entries: readonly { readonly name: string }[]): readonly string[] {
  if (entries.every(({ name }) => lower.test(name))) return [];
  const first = new Map<string, string>();
  const found = new Set<string>();
  for (const { name } of entries) {
    const key = (ascii.test(name) ? name : name.normalize('NFC')).toLowerCase();
    const other = first.get(key);
    if (other === undefined) first.set(key, name);
    else found.add(other).add(name);
  }
  return [...found];
}
