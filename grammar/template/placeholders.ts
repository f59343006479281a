/**
 * Finds a placeholder, and `\{{`, which writes the two braces (nothing is captured then). A name is followed by paths
 * in dots and brackets; `:-text` gives a default up to the closing braces.
 */
export const PLACEHOLDER =
  /\\\{\{|\{\{\s*([A-Za-z0-9_](?:[\w.-]|\[(?:[\w.-]+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\])*)(?:\s*|:-((?:[^}]|\}(?!\}))*))\}\}/g;

/** A placeholder that nothing stands in for where nothing fills it. */
export interface Placeholder {
  /** Name and path as they are written: `user.name`. */
  readonly name: string;
  /** First and last-but-one place of the name in the text (UTF-16 units). */
  readonly part: readonly [from: number, to: number];
}

/** The placeholders of a text that have no default. */
export function placeholdersOf(text: string): readonly Placeholder[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap(([whole, name, fallback], index, all) => {
    if (name === undefined || fallback !== undefined) return [];
    const from = (all[index]?.index ?? 0) + whole.indexOf(name);
    return [{ name, part: [from, from + name.length] as const }];
  });
}
