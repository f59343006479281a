import type { SourceId } from '#schemas/types/place.ts';

/** `manifest.json`: what one compilation made, without dates and without paths of the machine. */
export interface Manifest {
  /** Version of the language. */
  readonly language: string;
  readonly generator: string;
  readonly programs: readonly ManifestProgram[];
}

export interface ManifestProgram {
  readonly source: SourceId;
  /** SHA-256 in hex, as all hashes here. */
  readonly source_sha256: string;
  readonly plan_sha256: string;
  /** Path from the manifest, with `/`. */
  readonly program: string;
  readonly program_sha256: string;
  readonly commands: readonly string[];
  readonly effects: readonly string[];
  /** Packages that must be installed where the program runs: `name@version`. */
  readonly externals: readonly string[];
}

/** The manifest's text; programs sorted by path. */
export function manifestText(manifest: Manifest): string {
  const programs = manifest.programs.toSorted((a, b) => (a.program < b.program ? -1 : a.program > b.program ? 1 : 0));
  return `${JSON.stringify({ ...manifest, programs }, null, 2)}\n`;
}
