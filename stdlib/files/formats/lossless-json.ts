/** A number as it was written, where reading it as a JavaScript number would change its text. */
export interface RawNumber {
  readonly rawJSON: string;
}

interface LosslessJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown;
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
}

// The platform has these; the type library does not list them yet.
const json = JSON as unknown as LosslessJson;

/** Parses JSON so that `JSON.stringify` writes every number as it was, whatever a double makes of it. */
export function parseLossless(text: string): unknown {
  return json.parse(text, (_key, value, { source }) => (typeof value === 'number' && source !== undefined && String(value) !== source ? json.rawJSON(source) : value));
}

export function isRawNumber(value: unknown): value is RawNumber {
  return json.isRawJSON(value);
}
