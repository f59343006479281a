import * as fail from '#schemas/generated/failures.ts';
import type { Places, Plan } from '#schemas/types/plan.ts';

import { missing } from './entry.ts';
import { linkSetOf } from './link-set.ts';
import type { EmitHost, Library } from './library.ts';
import type { Linker } from './link.ts';
import { hashOf } from './link.ts';
import type { ManifestProgram } from './manifest.ts';
import type { Outputs } from './outputs.ts';
import { programText } from './program-text.ts';
import { sourceMap } from './source-map.ts';

/** A sealed plan with what a program carries beside it. */
export interface EmitInput {
  readonly plan: Plan;
  /** Canonical JSON of the plan, and the SHA-256 of that in hex. */
  readonly text: string;
  readonly hash: string;
  readonly places: Places;
  /** SHA-256 of the action file's bytes, in hex. */
  readonly sourceHash: string;
  readonly outputs: Outputs;
  /** Packages whose functions it calls, with their versions; without one where they were not installed. */
  readonly packages: readonly PackageVersion[];
  /** JSON of the run part of the configuration. */
  readonly settings: string;
}

export interface PackageVersion {
  readonly name: string;
  readonly version: string | undefined;
}

export interface EmitOptions {
  readonly minify: boolean;
  /** One line a step, for debuggers. */
  readonly debug: boolean;
  /** Reporters that programs hold beside those of every program. */
  readonly reporters: readonly string[];
  /**
   * The output folder from the project root, with `/`; undefined where it stands elsewhere: maps then name sources as
   * plans do.
   */
  readonly folder: string | undefined;
}

export interface EmitContext {
  readonly host: EmitHost;
  readonly library: Library;
  readonly linker: Linker;
}

/** One program: texts of its files, and its line in the manifest. Nothing is written. */
export interface Emitted {
  readonly outputs: Outputs;
  /** UTF-8. */
  readonly program: Uint8Array;
  readonly map: string;
  readonly plan: string;
  readonly manifest: ManifestProgram;
}

/**
 * Makes the program of one action file: the plan as data, linked with the kernel and exactly the implementations and
 * providers that it names. The same input gives the same bytes, on any machine, in any folder, time zone and locale.
 * Fails with `library-out-of-date` where the prebuilt library lacks what the plan names.
 */
export async function emit(input: EmitInput, options: EmitOptions, context: EmitContext): Promise<Emitted> {
  const { library, host } = context;
  const { plan } = input;
  const set = linkSetOf(plan, library, options);
  const absent = missing(set, library);
  if (absent.length > 0) throw fail.libraryOutOfDate({ names: absent.join(', ') });
  const linked = await context.linker.link(set, { minify: options.minify });
  const { pieces, sources, mappings } = programText({
    plan: input.text,
    hash: input.hash,
    // Only the page shows a step whole.
    places: set.reporters.includes('html') ? withSources(input.places) : input.places,
    settings: input.settings,
    library: linked.text,
    generator: library.generator,
    debug: options.debug,
    packages: Object.fromEntries(linked.externals.map((name) => [name, [library.externals[name] ?? '']])),
    modules: versionsOf(input.packages),
  });
  const map = baseName(input.outputs.map);
  const program = bytesOf([
    ...pieces.slice(0, -1),
    pieces.at(-1)?.trimEnd() ?? '',
    `\n//# sourceMappingURL=${encodeURIComponent(map)}\n`,
  ]);
  return {
    outputs: input.outputs,
    program,
    map: sourceMap(
      baseName(input.outputs.program),
      sources.map((source) => urlOf(source, input.outputs.map, options.folder)),
      mappings,
    ),
    plan: `${input.text}\n`,
    manifest: {
      source: input.outputs.source,
      source_sha256: input.sourceHash,
      plan_sha256: input.hash,
      program: input.outputs.program,
      program_sha256: hashOf(host, program),
      commands: [...new Set(plan.units.flatMap((unit) => unit.needs.commands))].toSorted(),
      effects: [...new Set(plan.units.flatMap((unit) => unit.needs.effects))].toSorted(),
      externals: [
        ...new Set([
          ...linked.externals.map((name) => `${name}@${library.externals[name] ?? ''}`),
          ...input.packages.map(nameOf),
        ]),
      ].toSorted(),
    },
  };
}

function bytesOf(pieces: readonly string[]): Uint8Array {
  const encoder = new TextEncoder();
  const parts = pieces.map((piece) => encoder.encode(piece));
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Files of one program may have one package in several versions. */
function versionsOf(packages: readonly PackageVersion[]): Readonly<Record<string, readonly string[]>> {
  const byName = Map.groupBy(packages, ({ name }) => name);
  return Object.fromEntries(
    [...byName].map(([name, all]) => [name, [...new Set(all.flatMap(({ version }) => version ?? []))].toSorted()]),
  );
}

function nameOf({ name, version }: PackageVersion): string {
  return version === undefined ? name : `${name}@${version}`;
}

/** A source as a URL relative to the map that names it. */
function urlOf(source: string, map: string, folder: string | undefined): string {
  const path = source.split('/').map(encodeURIComponent).join('/');
  if (folder === undefined) return path;
  const depth = [...folder.split('/'), ...map.split('/').slice(0, -1)].filter(
    (part) => part !== '' && part !== '.',
  ).length;
  return '../'.repeat(depth) + path;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function withSources(places: Places): Places {
  return Object.fromEntries(
    Object.entries(places).map(
      ([id, { file, line, column, text, expect = [], save_as = [], when, condition, source }]) => [
        id,
        {
          file,
          line,
          column,
          text,
          ...(expect.length > 0 && { expect }),
          ...(save_as.length > 0 && { save_as }),
          ...(when !== undefined && { when }),
          ...(condition !== undefined && { condition }),
          ...(source !== undefined && { source }),
        },
      ],
    ),
  );
}
