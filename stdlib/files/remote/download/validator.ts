type Headers = Readonly<Record<string, string>>;

/** Says that bytes belong to one and the same file: fit for If-Range, so never a weak one. */
export type Validator = { readonly etag: string } | { readonly last_modified: string };

/**
 * Age (ms) before the answer that a file's last change must have, so that no second change could bear the same
 * time.
 */
const settledMs = 60_000;

/** The strong validator of an answer; undefined: it has none. */
export function validatorOf(headers: Headers): Validator | undefined {
  const etag = headers['etag']?.trim();
  if (etag !== undefined && /^"[^"]*"$/.test(etag)) return { etag };
  const { 'last-modified': modified, date } = headers;
  if (etag !== undefined || modified === undefined || date === undefined) return undefined;
  return Date.parse(date) - Date.parse(modified) >= settledMs ? { last_modified: modified } : undefined;
}

/** Value of If-Range. */
export function ifRange(validator: Validator): string {
  return 'etag' in validator ? validator.etag : validator.last_modified;
}

/** Whether an answer speaks of the same file, as far as it says. */
export function sameValidator(headers: Headers, validator: Validator): boolean {
  if ('etag' in validator) return (headers['etag'] ?? validator.etag).trim() === validator.etag;
  return (headers['last-modified'] ?? validator.last_modified) === validator.last_modified;
}
