import type { Json } from '#schemas/types/json.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly jsonPath: JsonPath;
  }
}

/** JSONPath as RFC 9535 says. */
export interface JsonPath {
  /** All matches in document order; fails where the expression cannot be read. */
  find(expression: string, value: Json): readonly PathMatch[];
}

export interface PathMatch {
  /** The normalized path of the match, such as `$['items'][0]`. */
  readonly path: string;
  readonly value: Json;
}
