import type { Json } from '#schemas/types/json.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly graphqlSchema: GraphqlSchemas;
  }
}

/** Judges GraphQL requests by a schema before they are sent. */
export interface GraphqlSchemas {
  /**
   * Mistakes of a request, in the order of its text, at most 20; none: the schema allows it. Fails where the schema
   * cannot be read.
   */
  mistakes(request: GraphqlRequest): Promise<readonly GraphqlMistake[]>;
}

export interface GraphqlRequest {
  /** File with type definitions, or with the JSON answer of an introspection query, from the working directory. */
  readonly schema: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, Json>>;
  readonly operation: string | null;
}

export interface GraphqlMistake {
  readonly message: string;
  /** From 1, in the text of the query; absent where it is about no place of it. */
  readonly line?: number;
  readonly column?: number;
}
