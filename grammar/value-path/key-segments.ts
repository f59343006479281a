import { isList, isObject, type Json } from '#schemas/types/json.ts';

/**
 * Keys and indexes of a dotted path into a document; empty pieces do not count. `list[0]` is an index where `list`
 * leads to a list and no key has that very name.
 */
export function keySegments(path: string, document: Json): readonly string[] {
  const segments: string[] = [];
  let here: Json | undefined = document;
  for (const piece of path.split('.').filter((each) => each !== '')) {
    for (const segment of steps(piece, here)) {
      segments.push(segment);
      here = memberOf(here, segment);
    }
  }
  return segments;
}

function steps(piece: string, here: Json | undefined): readonly string[] {
  const [, name = '', indexes] = /^([^[\]]*)((?:\[-?\d{1,15}\])+)$/.exec(piece) ?? [];
  if (indexes === undefined || memberOf(here, piece) !== undefined) return [piece];
  if (!isList(name === '' ? here : memberOf(here, name))) return [piece];
  return [...(name === '' ? [] : [name]), ...indexes.slice(1, -1).split('][')];
}

function memberOf(here: Json | undefined, segment: string): Json | undefined {
  if (isList(here)) return /^-?\d{1,15}$/.test(segment) ? here.at(Number(segment)) : undefined;
  return isObject(here) && Object.hasOwn(here, segment) ? here[segment] : undefined;
}
