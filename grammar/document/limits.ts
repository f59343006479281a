/** Limits of a reader, held before memory is spent (`compiler/language/files.md`). */
export interface ReadLimits {
  /** Bytes of a file (a text that is no file counts its UTF-16 units). */
  readonly bytes: number;
  /** Objects and lists inside one another. */
  readonly depth: number;
  /**
   * Values and keys that are written out in JSON, as the marks between them tell; in YAML a quarter of it
   * (`yamlLimit`).
   */
  readonly values: number;
  /** Values that YAML aliases may add to those that are written out. */
  readonly aliased_values: number;
}

export const DEFAULT_LIMITS: ReadLimits = {
  bytes: 64 * 1024 * 1024,
  depth: 256,
  values: 12_000_000,
  aliased_values: 1_000_000,
};
