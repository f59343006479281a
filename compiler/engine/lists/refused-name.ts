import { catalogue } from '#compiler/catalogue.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';

/**
 * The first command in a list, or in lists inside of it, that may not be called, wherever a command's name could stand:
 * as an element or as a key. Found without the compiler, so also in a list with mistakes.
 */
export function refusedIn(actions: Json, allows: (command: string) => boolean): string | undefined {
  const isRefused = (name: Json): name is string => typeof name === 'string' && catalogue.has(name) && !allows(name);
  // A list of its own, not calls inside one another: a list may be nested as deep as its text is long.
  const left: Json[] = [actions];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    const names = isList(value) ? value : isObject(value) ? Object.keys(value) : [];
    const refused = names.find(isRefused);
    if (refused !== undefined) return refused;
    const inner = isList(value) ? value : isObject(value) ? Object.values(value) : [];
    for (let index = inner.length - 1; index >= 0; index -= 1) left.push(inner[index] ?? null);
  }
  return undefined;
}
