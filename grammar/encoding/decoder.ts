/** Text for bytes, piece by piece. Bytes that do not fit are U+FFFD, or, where it is `fatal`, a TypeError. */
export interface Decoder {
  decode(bytes: Uint8Array): string;
  /** Text that is left at the end. */
  end(): string;
}
