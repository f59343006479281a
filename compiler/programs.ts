import { normalize, resolve, sep } from 'node:path';

import { packageOf } from '#grammar/module-ref/parse.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import type { SourceId } from '#schemas/types/place.ts';
import type { Plan } from '#schemas/types/plan.ts';

import type { Compilation } from './compilation.ts';
import type { CompileHost } from './context.ts';
import type { LoadedFile } from './load.ts';
import { LANGUAGE } from './phases/3-parse/meta.ts';
import { folderOf } from './phases/4-resolve/files.ts';
import { installedVersion } from './phases/4-resolve/installed.ts';
import { emit, type EmitContext, type Emitted, type EmitOptions, type PackageVersion } from './phases/7-emit/index.ts';
import { libraryFile, openLibrary } from './phases/7-emit/library.ts';
import { openLinker, type LinkCache } from './phases/7-emit/link.ts';
import { manifestText } from './phases/7-emit/manifest.ts';
import { placeOutputs, type Outputs } from './phases/7-emit/outputs.ts';

export type { Emitted } from './phases/7-emit/index.ts';

export interface ProgramOptions {
  /**
   * Folder that the programs will stand in, absolute: decides how source maps name their sources. Nothing is written.
   */
  readonly out: string;
  /** Files of other projects whose programs will stand there too: they take part in the common folder. */
  readonly beside?: readonly Pick<LoadedFile, 'source' | 'path'>[];
  readonly minify?: boolean;
  /** One line a step with a source map, so that breakpoints in the action file stop a debugger. */
  readonly debug?: boolean;
  /** Reporters that the programs hold beside `human` and `json`. */
  readonly reporters?: readonly string[];
  /** The run part of the configuration. */
  readonly settings: JsonObject;
  /** Folder of this package, absolute: it holds the library that programs are linked from. */
  readonly packageFolder: string;
  /** Cache of linked code between compilations; without one it is linked again. */
  readonly cache?: LinkCache;
}

/** The programs of one compilation. */
export interface Programs {
  /** Two files that would become one, or an output that would overwrite a source: then nothing else is made. */
  readonly diagnostics: readonly Diagnostic[];
  /** One for each listed file that is sound, in order; each is made when it is asked for, a few ahead. */
  readonly emitted: AsyncIterable<Emitted>;
  /** The text of `manifest.json` for what was made. */
  manifest(emitted: readonly Pick<Emitted, 'manifest'>[]): string;
}

export const MANIFEST = 'manifest.json';

/**
 * Makes the programs of the listed files that have no error. Fails with `library-not-built` where this package has no
 * prebuilt library, and with `library-out-of-date` where that lacks what a plan names.
 */
export async function programs(
  compilation: Compilation,
  options: ProgramOptions,
  host: CompileHost,
): Promise<Programs> {
  const files = compilation.files.filter(({ isPulledIn, source }) => !isPulledIn && !compilation.isBroken(source));
  const own = new Set(files.map(({ source }) => source));
  const placed = placeOutputs(
    [...files, ...(options.beside ?? [])].map(({ source, path }) => ({ source, path: withSlashes(path) })),
  );
  const outputs = placed.outputs.slice(0, files.length);
  const collisions = placed.collisions.filter(({ first, second }) => own.has(first) || own.has(second));
  const diagnostics = [
    ...collisions.map(({ output, first, second }) =>
      d.outputCollision({ at: whole(second), source: second, first, output, related: [whole(first)] }),
    ),
    ...overwritten(compilation.files, outputs, options.out),
  ];
  const library = await openLibrary(options.packageFolder, host);
  if (!library) throw fail.libraryNotBuilt({ path: libraryFile(options.packageFolder) });
  const context: EmitContext = { host, library, linker: openLinker(library, host, options.cache) };
  const emitOptions: EmitOptions = {
    minify: options.minify ?? false,
    debug: options.debug ?? false,
    reporters: options.reporters ?? [],
    folder: below(compilation.root, options.out),
  };
  const make = (index: number): Promise<Emitted> =>
    emitOne(compilation, files[index], outputs[index], { options, emitOptions, context });
  return {
    diagnostics,
    emitted: ahead(diagnostics.length > 0 ? 0 : files.length, make),
    manifest: (emitted) =>
      manifestText({
        language: LANGUAGE,
        generator: library.generator,
        programs: emitted.map(({ manifest }) => manifest),
      }),
  };
}

interface EmitTools {
  readonly options: ProgramOptions;
  readonly emitOptions: EmitOptions;
  readonly context: EmitContext;
}

async function emitOne(
  compilation: Compilation,
  file: LoadedFile | undefined,
  outputs: Outputs | undefined,
  { options, emitOptions, context }: EmitTools,
): Promise<Emitted> {
  if (file?.sha256 === undefined || !outputs) throw new Error('programs are made of what was compiled for them');
  const { plan, text, hash } = compilation.seal([file.source]);
  const places = compilation.places([file.source]);
  const packages = await modulePackages(compilation, plan);
  return emit(
    {
      plan,
      text,
      hash,
      places,
      outputs,
      packages,
      sourceHash: file.sha256,
      settings: JSON.stringify(options.settings),
    },
    emitOptions,
    context,
  );
}

/** The packages of modules that the units call, as they are installed beside them. */
async function modulePackages({ root, reader, cwd }: Compilation, plan: Plan): Promise<readonly PackageVersion[]> {
  const named = plan.units.flatMap(({ source, modules }) =>
    modules
      .filter((place) => !place.startsWith('.'))
      .map((place) => ({ name: packageOf(place), folder: folderOf(source, { root, host: { cwd } }) })),
  );
  return Promise.all(
    named.map(async ({ name, folder }) => ({ name, version: await installedVersion(name, folder, reader) })),
  );
}

/** Programs in order, each begun while the few before it are still being written. */
async function* ahead(count: number, make: (index: number) => Promise<Emitted>): AsyncGenerator<Emitted> {
  const begun: Promise<Emitted>[] = [];
  for (let index = 0; index < count + 4; index += 1) {
    if (index < count) {
      const made = make(index);
      // Whoever waits for it hears of its failure; until then it is not unheard.
      made.catch(() => undefined);
      begun.push(made);
    }
    const ready = index >= 4 ? begun.shift() : undefined;
    if (ready) yield await ready;
  }
}

/** Sources that would be lost. */
function overwritten(files: readonly LoadedFile[], outputs: readonly Outputs[], out: string): readonly Diagnostic[] {
  const written = new Set(
    [MANIFEST, ...outputs.flatMap(({ program, map, plan }) => [program, map, plan])].map((path) => resolve(out, path)),
  );
  return files
    .filter(({ path }) => written.has(normalize(path)))
    .map(({ source, path }) => d.outputOverwritesSource({ at: whole(source), source, output: path }));
}

function whole(source: SourceId): Label {
  return { source, route: [], part: 'value' };
}

/** A path with `/`. A backslash is a separator on Windows alone; elsewhere it is a letter of a name. */
function withSlashes(path: string): string {
  return path.split(sep).join('/');
}

/** A folder's path from another, with `/`; undefined where it is not below. */
function below(root: string, folder: string): string | undefined {
  const [top, inner] = [root, folder].map((path) => `${withSlashes(normalize(path)).replace(/\/$/, '')}/`);
  return top !== undefined && inner?.startsWith(top) ? inner.slice(top.length, -1) : undefined;
}
