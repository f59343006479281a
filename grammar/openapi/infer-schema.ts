import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { typeName } from './schema-findings.ts';

/**
 * Shape of several samples together. Adding samples in another order gives the same shape, and a schema that
 * each of them fits.
 */
export class Shape {
  readonly #types = new Set<string>();
  #objects = 0;
  readonly #fields = new Map<string, { count: number; readonly shape: Shape }>();
  #items: Shape | undefined;

  static of(...samples: readonly Json[]): Shape {
    const shape = new Shape();
    for (const sample of samples) shape.add(sample);
    return shape;
  }

  add(sample: Json): void {
    this.#types.add(typeName(sample));
    if (Array.isArray(sample)) {
      this.#items ??= new Shape();
      for (const item of sample as readonly Json[]) this.#items.add(item);
    } else if (isObject(sample)) {
      this.#objects += 1;
      for (const [name, value] of Object.entries(sample)) {
        const field = this.#fields.get(name) ?? { count: 0, shape: new Shape() };
        field.count += 1;
        field.shape.add(value);
        this.#fields.set(name, field);
      }
    }
  }

  /** JSON Schema 2020-12; a field that some samples lack is not required. */
  schema(): JsonObject {
    if (this.#types.size === 0) return {};
    const types = [...this.#types].filter((type) => type !== 'integer' || !this.#types.has('number')).toSorted();
    return {
      type: types.length === 1 ? (types[0] ?? 'null') : types,
      ...(this.#types.has('object') ? this.#object() : {}),
      ...(this.#items ? { items: this.#items.schema() } : {}),
    };
  }

  #object(): JsonObject {
    const names = [...this.#fields.keys()].toSorted();
    const properties = Object.fromEntries(names.map((name) => [name, this.#fields.get(name)?.shape.schema() ?? {}]));
    const required = names.filter((name) => this.#fields.get(name)?.count === this.#objects);
    return { properties, required };
  }
}
