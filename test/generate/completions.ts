type Schema = Readonly<Record<string, unknown>>;

/**
 * What an editor offers at a place of a document, by schema alone: keys of an object, or values of a list's place; each
 * with its description. Follows references, branches and conditions as editors do.
 */
export function completions(
  schema: Schema,
  document: unknown,
  route: readonly (string | number)[],
): ReadonlyMap<string, string> {
  let at: Schema[] = expand(schema, schema, document);
  let value = document;
  for (const part of route) {
    const parent = value;
    value = (value as Record<string | number, unknown> | undefined)?.[part];
    at = at.flatMap((one) => child(one, part, parent)).flatMap((one) => expand(schema, one, value));
  }
  const found = new Map<string, string>();
  for (const one of at) {
    for (const [key, property] of Object.entries((one['properties'] ?? {}) as Record<string, Schema>))
      found.set(key, words(property));
    if (typeof one['const'] === 'string') found.set(one['const'], words(one));
    for (const each of (one['enum'] ?? []) as readonly unknown[])
      if (typeof each === 'string') found.set(each, words(one));
  }
  return found;
}

function words(schema: Schema): string {
  return typeof schema['description'] === 'string' ? schema['description'] : '';
}

/** The schema and everything that holds at the same place. */
function expand(top: Schema, schema: Schema, value: unknown): Schema[] {
  const reference = schema['$ref'];
  const target =
    typeof reference === 'string'
      ? reference
          .slice(2)
          .split('/')
          .reduce<unknown>((current, key) => (current as Schema)[key], top)
      : undefined;
  const parts = [
    target,
    ...((schema['anyOf'] ?? []) as readonly unknown[]),
    ...((schema['allOf'] ?? []) as readonly unknown[]),
  ];
  if (schema['if'] !== undefined && holds(schema['if'] as Schema, value)) parts.push(schema['then']);
  return [
    schema,
    ...parts.filter((part): part is Schema => part !== undefined).flatMap((part) => expand(top, part, value)),
  ];
}

/** The conditions that generated schemas use: the first element of a list. */
function holds(condition: Schema, value: unknown): boolean {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  const [one] = (condition['prefixItems'] ?? []) as readonly Schema[];
  if (
    typeof first !== 'string' ||
    !one ||
    (typeof condition['minItems'] === 'number' && (value as unknown[]).length < condition['minItems'])
  )
    return false;
  if (one['const'] !== undefined) return one['const'] === first;
  if (Array.isArray(one['enum'])) return one['enum'].includes(first);
  return typeof one['pattern'] === 'string' && new RegExp(one['pattern']).test(first);
}

function child(schema: Schema, part: string | number, parent: unknown): Schema[] {
  if (typeof part === 'string')
    return [((schema['properties'] ?? {}) as Record<string, Schema>)[part]].filter((one) => one !== undefined);
  if (parent !== undefined && !Array.isArray(parent)) return [];
  const place = ((schema['prefixItems'] ?? []) as readonly Schema[])[part] ?? schema['items'];
  return place === undefined || typeof place === 'boolean' ? [] : [place as Schema];
}
