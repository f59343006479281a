import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { declaredProperty } from './one-sided.ts';
import { listOf, typed } from './parameter-value.ts';
import { resolved } from './reference.ts';

/** Brackets inside brackets: what is deeper is not judged. */
const DEEPEST = 16;

interface Branch {
  readonly texts: string[];
  readonly parts: Map<string, Branch>;
}

/**
 * The value that fields with brackets say: `[name]`, `[of][city]`, `[tags][]`, `[rows][0][id]`, a name that stands more
 * than once. Undefined: they contradict one another or are written in another way, and nobody knows what they say.
 */
export function bracketValue(
  fields: readonly (readonly [brackets: string, text: string])[],
  schema: Json | undefined,
  document: JsonObject,
): Json | undefined {
  const root: Branch = { texts: [], parts: new Map() };
  for (const [brackets, text] of fields) {
    if (!/^(?:\[[^[\]]*\])*$/.test(brackets)) return undefined;
    const keys = [...brackets.matchAll(/\[([^[\]]*)\]/g)].map(([, key = '']) => key);
    if (keys.length > DEEPEST) return undefined;
    let branch = root;
    for (const key of keys) {
      const next = branch.parts.get(key) ?? { texts: [], parts: new Map() };
      branch.parts.set(key, next);
      branch = next;
    }
    branch.texts.push(text);
  }
  return valueOf(root, schema, document);
}

function valueOf({ texts, parts }: Branch, given: Json | undefined, document: JsonObject): Json | undefined {
  const schema = resolved(given, document);
  const keywords = isObject(schema) ? schema : {};
  const isList = [keywords['type']].flat().includes('array') || isObject(keywords['items']);
  if (parts.size === 0) {
    const [only = '', ...others] = texts;
    if (others.length === 0) return typed(only, given ?? {}, document);
    return isList ? listOf(texts, keywords, document) : undefined;
  }
  if (texts.length > 0) return undefined;
  if (isList) return listValue(parts, keywords['items'], document);
  if (parts.has('')) return undefined;
  const fields = [...parts].map(([name, part]) => {
    const property = declaredProperty(name, schema, document) ?? keywords['additionalProperties'];
    return [name, valueOf(part, property, document)] as const;
  });
  return fields.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(fields) as JsonObject);
}

/** Elements without numbers stand in their order, others by their numbers. */
function listValue(
  parts: ReadonlyMap<string, Branch>,
  items: Json | undefined,
  document: JsonObject,
): Json | undefined {
  const keys = [...parts.keys()];
  if (!keys.every((key) => /^\d*$/.test(key))) return undefined;
  const elements = keys
    .toSorted((a, b) => Number(a) - Number(b))
    .flatMap((key) => {
      const part = parts.get(key);
      if (!part) return [];
      const isOpen = key === '' && part.parts.size === 0;
      return isOpen ? part.texts.map((text) => typed(text, items ?? {}, document)) : [valueOf(part, items, document)];
    });
  return elements.some((element) => element === undefined) ? undefined : (elements as Json[]);
}
