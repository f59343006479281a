import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { resolvedObject } from './reference.ts';

/** A schema with the name that values call it by. */
export interface Named {
  readonly key: string;
  readonly $ref: string;
  readonly schema: JsonObject;
}

const known = new WeakMap<JsonObject, Inheritance>();

/** The inheritance among schemas of a document, which is looked through once. */
export function inheritanceIn(document: JsonObject): Inheritance {
  const found = known.get(document) ?? new Inheritance(document);
  known.set(document, found);
  return found;
}

/** Schemas that inherit from others: those have them among their `allOf`, at any depth. */
class Inheritance {
  /** Schemas that have names in the document. */
  readonly named: readonly Named[];
  readonly #document: JsonObject;
  readonly #byKey: ReadonlyMap<string, JsonObject>;
  readonly #withNames: ReadonlySet<JsonObject>;
  readonly #lines = new WeakMap<JsonObject, ReadonlySet<JsonObject>>();
  readonly #mapped = new WeakMap<JsonObject, readonly Named[]>();

  constructor(document: JsonObject) {
    const { components, definitions } = document;
    const { schemas } = isObject(components) ? components : {};
    this.#document = document;
    this.named = [...this.#from('#/components/schemas', schemas), ...this.#from('#/definitions', definitions)];
    this.#byKey = new Map(this.named.toReversed().map(({ key, schema }) => [key, schema]));
    this.#withNames = new Set(this.named.map(({ schema }) => schema));
  }

  hasName(schema: JsonObject): boolean {
    return this.#withNames.has(schema);
  }

  /** The schema of a name. */
  called(key: string): JsonObject | undefined {
    return this.#byKey.get(key);
  }

  isHeir(schema: JsonObject, parent: JsonObject): boolean {
    return schema !== parent && this.#line(schema).has(parent);
  }

  /** A schema and all that it inherits from, each once, the nearest of each branch first. */
  lineOf(schema: JsonObject): readonly JsonObject[] {
    return [...this.#line(schema)];
  }

  /** Schemas that the mapping of a discriminator names. */
  mapped(holder: JsonObject): readonly Named[] {
    const before = this.#mapped.get(holder);
    if (before) return before;
    const { mapping } = isObject(holder['discriminator']) ? holder['discriminator'] : {};
    const found = Object.entries(isObject(mapping) ? mapping : {}).map(([key, target]) => {
      const $ref = referenceTo(String(target));
      return { key, $ref, schema: resolvedObject({ $ref }, this.#document) };
    });
    this.#mapped.set(holder, found);
    return found;
  }

  #line(schema: JsonObject): ReadonlySet<JsonObject> {
    const before = this.#lines.get(schema);
    if (before) return before;
    const line = new Set<JsonObject>();
    const waiting = [schema];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      if (line.has(one)) continue;
      line.add(one);
      const parts = Array.isArray(one['allOf']) ? (one['allOf'] as readonly Json[]) : [];
      for (const one of parts.map((part) => resolvedObject(part, this.#document)).toReversed()) waiting.push(one);
    }
    this.#lines.set(schema, line);
    return line;
  }

  #from(place: string, all: Json | undefined): readonly Named[] {
    return Object.entries(isObject(all) ? all : {}).map(([key, given]) => ({
      key,
      $ref: `${place}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
      schema: resolvedObject(given, this.#document),
    }));
  }
}

/** A schema is named by its name in the document, or by a reference. */
export function referenceTo(target: string): string {
  return /[/#.]/.test(target) ? target : `#/components/schemas/${target}`;
}
