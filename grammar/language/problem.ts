/**
 * Mistake in a text in one of the small languages: a key of its own messages, and the exact place in UTF-16
 * offsets. Each language turns its problems into diagnostics in `report.ts`; words stand only in `schemas/messages`.
 */
export interface Problem<Key extends string = string> {
  readonly key: Key;
  readonly from: number;
  readonly to: number;
  /** Details that the message names: the text that was found, the expected one, the one that was likely meant. */
  readonly found?: string;
  readonly expected?: string;
  readonly nearest?: string;
}

export type Range = readonly [from: number, to: number];
