import type { Json, JsonObject } from '#schemas/types/json.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly jsonSchema: JsonSchema;
  }
}

/**
 * Checks values against JSON Schemas: draft-06, draft-07, 2019-09 and 2020-12, each as its published cases say, and
 * formats are asserted. Nothing is ever fetched: a schema refers to what it holds itself and to the dialects.
 */
export interface JsonSchema {
  /** Every finding; empty: the value is valid. Fails where the schema itself is wrong. */
  check(value: Json, schema: JsonObject | boolean): Promise<readonly SchemaFinding[]>;
}

export interface SchemaFinding {
  /** JSON pointer into the value; empty: the value itself. */
  readonly at: string;
  /** JSON pointer into the schema, as a fragment. */
  readonly rule: string;
  readonly message: string;
}
