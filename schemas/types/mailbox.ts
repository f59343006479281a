/** One mail address, and whose it is. */
export interface Mailbox {
  /** Empty where none is given. */
  readonly name: string;
  readonly address: string;
}

/**
 * Reads `ops@x.example` or `Ops <ops@x.example>`; undefined for anything else. Commas, semicolons and groups would make
 * it several addresses, so they stand in the name alone.
 */
export function readMailbox(text: string): Mailbox | undefined {
  // oxlint-disable-next-line no-control-regex -- a line break would begin a header of its own
  if (/[\u0000-\u001f\u007f\u2028\u2029]/.test(text)) return undefined;
  const {
    name = '',
    inside,
    plain,
  } = /^(?:(?<name>[^<>]*)<(?<inside>[^<>]*)>|(?<plain>[^<>]*))$/.exec(text.trim())?.groups ?? {};
  const address = (inside ?? plain ?? '').trim();
  if (!/^[^\s@<>()[\],;:\\"]+@[^\s@<>(),;\\"]+$/.test(address)) return undefined;
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
}
