import type { Regex } from '#runtime/kernel/ports.ts';
import { addAll } from '#grammar/source/add-all.ts';
import type { Work } from '#grammar/openapi/work.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { SchemaFinding } from '../port.ts';
import type { SchemaAt, Schemas } from './schemas.ts';

/** Result of holding one value against one schema. */
export interface Outcome {
  readonly findings: SchemaFinding[];
  /** Names and places that were looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
  readonly properties: Set<string>;
  readonly items: Set<number>;
}

export interface Tools {
  readonly schemas: Schemas;
  readonly regex: Regex;
  readonly work: Work;
  /** Whether a value has a format; formats that are not known hold. */
  readonly hasFormat: (format: string, value: Json) => boolean;
}

/** One schema at one value, and what keywords do there. */
export interface Visit<Value extends Json = Json> {
  readonly tools: Tools;
  readonly here: SchemaAt;
  readonly schema: JsonObject;
  readonly value: Value;
  readonly outcome: Outcome;
  /** Value of a keyword; undefined where it is not there or the dialect does not know it. */
  get(keyword: string): Json | undefined;
  /** Puts a part of this schema to a value; where there is no such part, nothing is found. */
  judge(keys: readonly (string | number)[], value: Json, key?: string | number): Outcome;
  /** The same, and takes over what it finds. True where the value fits. */
  apply(keys: readonly (string | number)[], value: Json, key?: string | number): boolean;
  find(keyword: string, message: string): void;
}

/** Takes over findings, and what was looked at where there are none. */
export function take(into: Outcome, from: Outcome, looked: boolean): boolean {
  addAll(into.findings, from.findings);
  if (from.findings.length > 0) return false;
  if (looked) for (const name of from.properties) into.properties.add(name);
  if (looked) for (const index of from.items) into.items.add(index);
  return true;
}

export function fits(outcome: Outcome): boolean {
  return outcome.findings.length === 0;
}
