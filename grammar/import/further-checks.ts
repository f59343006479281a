import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { ImportedStep } from './file.ts';

/** Steps behind a request that ask of its answer what conditions cannot: types, queries with several values, bodies. */
export class FurtherChecks {
  readonly #schemas = new Map<string, JsonObject[]>();
  readonly #others: ImportedStep[] = [];

  get count(): number {
    return this.#schemas.size + this.#others.length;
  }

  /** Asks a schema of the value at a path of the answer, such as `json.items[0]`. */
  schema(path: string, schema: JsonObject): void {
    const asked = this.#schemas.get(path) ?? [];
    this.#schemas.set(path, [...asked, schema]);
  }

  /** Asks conditions of the values that a JSONPath expression finds in the body. */
  values(expression: string, params: JsonObject, expect?: string): void {
    const action = ['AT_check_jsonpath', { payload: '{{last_response.json}}', expression, ...params }] as const;
    this.#others.push({ action, options: expect === undefined ? {} : { expect }, lost: [] });
  }

  /** Asks that the whole body is a value. */
  body(expected: Json): void {
    this.values('$', { expected });
  }

  steps(): readonly ImportedStep[] {
    const typed = [...this.#schemas].map(([path, schemas]): ImportedStep => {
      const schema = schemas.length === 1 ? (schemas[0] ?? {}) : { allOf: schemas };
      return {
        action: ['AT_check_json_schema', { payload: `{{last_response.${path}}}`, schema }],
        options: {},
        lost: [],
      };
    });
    return [...typed, ...this.#others];
  }
}
