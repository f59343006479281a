import type { Json, JsonObject } from './json.ts';

/** The arguments of a node whose facts say `module: true`: which function, and what stands in the call. */
export interface ModuleCall {
  /** A package with its subpath, or a file by its path from the project root: `./tools/shop.mjs`. */
  readonly module: string;
  readonly export: string;
  readonly positional?: readonly Json[];
  readonly keywords?: JsonObject;
}
