import type { Body } from './body.ts';

/** One request with its answer, as far as it is known. */
export interface ExchangeFacts {
  readonly method: string;
  /** Below the base path of the document, still encoded. */
  readonly path: string;
  /** Decoded, in order. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Absent: there was none. */
  readonly requestBody?: Body;
  /** Names in lower case; absent: unknown. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** Names in lower case; absent or empty: unknown. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Absent: there was none, or nobody knows. */
  readonly responseBody?: Body;
}

/** Facts about a request that are held to its operation. */
export type RequestFacts = Omit<ExchangeFacts, 'status' | 'responseBody' | 'responseHeaders'>;
