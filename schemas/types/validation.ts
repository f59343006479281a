import type { JsonObject } from './json.ts';

/** The part of a validator's finding that our own words are made of. */
export interface ValidationError {
  /** JSON pointer into the parameters. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: JsonObject;
  /** The property name, where the name itself was held to a schema (`propertyNames`). */
  readonly propertyName?: string;
}

/** Findings of a command's parameters, compiled ahead of time; empty: valid. */
export type Validate = (params: unknown) => readonly ValidationError[];
