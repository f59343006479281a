import type { Json } from '#schemas/types/json.ts';

import type { Format } from './text-document.ts';

/** Result of reading a text. Findings were reported on the way. */
export type Reading =
  | { readonly kind: 'read'; readonly value: Json; readonly hasAliases: boolean; readonly format: Format }
  /** A limit was passed, or there is nothing: no value, and nothing more to say. */
  | { readonly kind: 'refused' }
  /** The text breaks the format; `offset` and `reason` are the library's, and nothing was reported yet. */
  | { readonly kind: 'syntax-error'; readonly offset: number; readonly reason: string };
