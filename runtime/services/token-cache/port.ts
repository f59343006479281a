import type { JsonObject } from '#schemas/types/json.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly tokenCache: TokenCache;
  }
}

/** Tokens of one unit, in memory alone. They end with the unit. */
export interface TokenCache {
  /** A token that has not expired; an expired one is forgotten. */
  find(name: string): JsonObject | undefined;
  /**
   * The kept token where it was obtained for the same `identity` and has not expired (`reuse`); otherwise the one that
   * `obtain` yields, which is kept when there is a name. Callers of the same identity that ask at the same time wait
   * for one `obtain`.
   */
  get(request: TokenRequest, obtain: () => Promise<JsonObject>): Promise<JsonObject>;
  clear(): void;
}

export interface TokenRequest {
  readonly name: string | null;
  /** Everything that decides whose token it is; never shown. */
  readonly identity: string;
  readonly reuse: boolean;
}
