import type { Ref } from '#schemas/types/reference.ts';

/**
 * The names under which the start of a path may be stored, longest first: names may hold dots and brackets, and the
 * longest stored one wins (`compiler/language/references.md`).
 */
export function storedNames({ name, path }: Ref): readonly string[] {
  if (path === undefined) return [name];
  const names = [name];
  let text = name;
  for (const piece of path) {
    text += typeof piece === 'number' ? `[${piece}]` : `.${piece}`;
    names.push(text);
  }
  return names.reverse();
}
