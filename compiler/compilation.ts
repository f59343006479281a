import * as d from '#schemas/generated/diagnostics.ts';
import { addAll } from '#grammar/source/add-all.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import type { SourceId } from '#schemas/types/place.ts';
import type { Places } from '#schemas/types/plan.ts';

import { Collected, type LeftOut } from './collected.ts';
import type { CompileContext } from './context.ts';
import { load, loadUsed, type LoadedFile, type Source } from './load.ts';
import { resolve, type Outside, type Resolution } from './phases/4-resolve/index.ts';
import { Datasets } from './phases/4-resolve/outside/dataset.ts';
import { ALL_WRITES, joined } from './phases/4-resolve/outside/written-paths.ts';
import type { OpenUsed, ResolvedFile } from './phases/4-resolve/resolved.ts';
import { Tokens } from './phases/4-resolve/tokens.ts';
import { check } from './phases/5-check/index.ts';
import { plan, seal, unitIds, type PlannedUnit, type SealedPlan } from './phases/6-plan/index.ts';
import { placesOf, placesOfNeeds } from './places.ts';
import type { Reader } from './reader.ts';
import { pathsOf, UsedFiles, type Opening } from './used-files.ts';

/** Files on their way from text to plan. */
export interface Compilation {
  /** Absolute; ids of sources are paths from here. */
  readonly root: string;
  readonly cwd: string;
  /** Reader through which all files were read. */
  readonly reader: Reader;
  /** Files that were listed and those that they need: dependencies first, else in the order given. */
  readonly files: readonly LoadedFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** Numbers of findings beyond `mostFindings` of the options. */
  readonly leftOut: LeftOut;
  readonly hasErrors: boolean;
  /** Whether a file, or one that it depends on, has an error. */
  readonly isBroken: (source: SourceId) => boolean;
  /** The units of a sound file, made when first asked for: one, or one for each combination of its matrix. */
  readonly units: (source: SourceId) => readonly PlannedUnit[];
  /** The same of a file with errors, as far as it could be read: to be shown. Undefined where nothing could be. */
  readonly partialUnits: (source: SourceId) => readonly PlannedUnit[] | undefined;
  /** Inputs that a file asks of its user, and values that it returns. */
  readonly signature: (source: SourceId) => FileSignature;
  /** Conditions of a file that types decide, by the call at which they stand. */
  readonly decided: (source: SourceId) => ResolvedFile['decided'];
  /**
   * Sessions and other things that a file leaves open for certain, and the step that opens each last. Of a file that
   * others use none: what it opens stays open for them.
   */
  readonly left: (source: SourceId) => ResolvedFile['left'];
  /** Columns of the dataset of a file, where they are known. */
  readonly columns: (source: SourceId) => readonly string[];
  /**
   * The plan of some files with everything that they depend on; all of them without an argument. They must be sound.
   */
  readonly seal: (sources?: readonly SourceId[]) => SealedPlan;
  /** Places of the steps of those files. */
  readonly places: (sources?: readonly SourceId[]) => Places;
}

/**
 * Sessions and other things (current elements, watches) that a file needs from a caller, opens and closes; and the
 * values that it returns, by name.
 */
export interface FileSignature {
  readonly needs: readonly string[];
  readonly opens: readonly string[];
  readonly closes: readonly string[];
  /** Those of them that some ways through the file alone open or close. */
  readonly possible: readonly string[];
  readonly returns?: JsonObject;
}

/**
 * Takes files through read, migrate, parse, resolve and check; what is planned is planned when it is asked for.
 * Findings are data; nothing is thrown for what a file says.
 */
export async function compileFiles(sources: readonly Source[], context: CompileContext): Promise<Compilation> {
  const found = new Collected(context.options.mostFindings);
  const own: CompileContext = { ...context, report: found.add };
  const loaded = await load(sources, own, true);
  const broken = new Set(found.diagnostics.map(({ primary }) => primary.source));
  const later: CompileContext = {
    ...own,
    report: (diagnostic) => {
      if (!isPoisoned(diagnostic, loaded, broken)) own.report(diagnostic);
    },
  };
  const files = await inOrder(loaded, later);
  const tokens = new Tokens();
  const datasets = new Datasets();
  const resolutions = new Map<SourceId, Resolution>();
  const uses = new Map<SourceId, Set<SourceId>>();
  const resolveOnce = async (file: LoadedFile, chain: readonly SourceId[]): Promise<Resolution | undefined> => {
    const known = resolutions.get(file.source);
    if (known !== undefined) return known;
    const resolution = await compileFile(file, { before: resolutions, tokens, datasets, use: used.from(chain) }, later);
    if (resolution !== undefined) resolutions.set(file.source, resolution);
    return resolution;
  };
  const all = new Map(loaded);
  const opening: Opening = {
    run: pathsOf(loaded.values()),
    resolve: resolveOnce,
    used: (by, source) => void uses.set(by, (uses.get(by) ?? new Set()).add(source)),
    async load(source, path) {
      const known = all.get(source);
      if (known !== undefined) return known;
      const before = found.count;
      const file = await loadUsed(source, path, own);
      if (found.count > before) broken.add(source);
      all.set(source, file);
      return file;
    },
  };
  const used = new UsedFiles(opening, later);
  for (const file of files) await resolveOnce(file, [file.source]);
  const more = [...all.values()].filter(({ isUsed }) => isUsed);
  return new Compiled([...files, ...more], resolutions, tokens, found, { ...own, uses });
}

/** Whether a finding is about a value that could not be read: nothing more is reported about that. */
function isPoisoned(
  { primary: { source, route } }: Diagnostic,
  files: ReadonlyMap<SourceId, LoadedFile>,
  broken: ReadonlySet<SourceId>,
): boolean {
  return broken.has(source) && files.get(source)?.migrated?.isPoisoned(route) === true;
}

interface Compiling {
  readonly before: ReadonlyMap<SourceId, Resolution>;
  readonly tokens: Tokens;
  readonly datasets: Datasets;
  readonly use: OpenUsed;
}

async function compileFile(
  loaded: LoadedFile,
  { before, tokens, datasets, use }: Compiling,
  context: CompileContext,
): Promise<Resolution | undefined> {
  const { file, after } = loaded;
  if (file === undefined) return undefined;
  const resolution = await resolve(
    { file, after, outside: offered(after, before, context), tokens, datasets, use, isUsed: loaded.isUsed === true },
    context,
  );
  context.options.observe?.('resolve', resolution.resolved);
  await check(resolution.resolved, tokens, context);
  return resolution;
}

/** The variables that the files before may leave; of a file that could not be read nothing is known. */
function offered(
  after: readonly SourceId[],
  before: ReadonlyMap<SourceId, Resolution>,
  { options }: CompileContext,
): Outside {
  const each = after.map((source) => before.get(source)?.offers());
  return {
    variables: new Map(each.flatMap((offers) => [...(offers?.variables ?? [])])),
    isOpen: options.isOpen === true || each.some((offers) => offers === undefined || offers.isOpen),
    writes: () => joined(each.map((offers) => offers?.writes() ?? ALL_WRITES)),
  };
}

/** Dependencies first. A cycle is reported once, and its files stay in the order in which they were read. */
async function inOrder(
  files: ReadonlyMap<SourceId, LoadedFile>,
  { report }: CompileContext,
): Promise<readonly LoadedFile[]> {
  const all = [...files.values()];
  if (all.every(({ after }) => after.length === 0)) return all;
  const { allCycles, orderByDependency } = await import('./graph/dag.ts');
  const sources = [...files.keys()];
  const dependencies = (source: SourceId): readonly SourceId[] => files.get(source)?.after ?? [];
  const ordered = orderByDependency(sources, dependencies);
  if (!('cycle' in ordered))
    return ordered.order.map((source) => files.get(source)).filter((file) => file !== undefined);
  for (const { cycle } of allCycles(ordered, sources, dependencies)) {
    const [first, ...others] = cycle.slice(0, -1).flatMap((source, index) => {
      const at = files.get(source)?.namedAt.get(cycle[index + 1] ?? '');
      return at === undefined ? [] : [at];
    });
    if (first !== undefined)
      report(d.fileCycle({ at: first, cycle: cycle.map((source) => `"${source}"`).join(' → '), related: others }));
  }
  return all;
}

/** Files that are units: those that steps alone use are none. */
function unitsOf(files: readonly LoadedFile[]): readonly SourceId[] {
  return files.filter(({ isUsed }) => !isUsed).map(({ source }) => source);
}

class Compiled implements Compilation {
  readonly root: string;
  readonly cwd: string;
  readonly reader: Reader;
  readonly files: readonly LoadedFile[];
  readonly diagnostics: readonly Diagnostic[];
  readonly leftOut: LeftOut;
  readonly #context: CompileContext;
  readonly #byId: ReadonlyMap<SourceId, LoadedFile>;
  readonly #resolutions: ReadonlyMap<SourceId, Resolution>;
  readonly #tokens: Tokens;
  readonly #units = new Map<SourceId, readonly PlannedUnit[]>();
  readonly #wrong: ReadonlySet<SourceId>;
  /** Files that steps of a file use. */
  readonly #uses: ReadonlyMap<SourceId, ReadonlySet<SourceId>>;

  constructor(
    files: readonly LoadedFile[],
    resolutions: ReadonlyMap<SourceId, Resolution>,
    tokens: Tokens,
    { diagnostics, leftOut }: Pick<Compilation, 'diagnostics' | 'leftOut'>,
    context: CompileContext & { readonly uses: ReadonlyMap<SourceId, ReadonlySet<SourceId>> },
  ) {
    this.root = context.root;
    this.cwd = context.host.cwd;
    this.reader = context.reader;
    this.files = files;
    this.diagnostics = diagnostics;
    this.leftOut = leftOut;
    this.#context = context;
    this.#byId = new Map(files.map((file) => [file.source, file]));
    this.#resolutions = resolutions;
    this.#tokens = tokens;
    this.#uses = context.uses;
    this.#wrong = new Set(
      diagnostics.filter(({ severity }) => severity === 'error').map(({ primary }) => primary.source),
    );
  }

  get hasErrors(): boolean {
    return this.#wrong.size > 0;
  }

  readonly isBroken = (source: SourceId): boolean =>
    this.#withDependencies([source]).some((each) =>
      this.#withUsed(each).some((one) => this.#wrong.has(one) || !this.#resolutions.has(one)),
    );

  readonly units = (source: SourceId): readonly PlannedUnit[] => {
    const known = this.#units.get(source);
    if (known !== undefined) return known;
    const resolution = this.#resolutions.get(source);
    if (resolution === undefined || this.#wrong.has(source)) throw new Error(`${source} has errors, so it has no plan`);
    const after = resolution.resolved.after.flatMap((before) => this.#idsOf(before));
    const units = plan(resolution.resolved, this.#tokens, after);
    this.#units.set(source, units);
    return units;
  };

  readonly partialUnits = (source: SourceId): readonly PlannedUnit[] | undefined => {
    const resolution = this.#resolutions.get(source);
    return resolution && plan(resolution.resolved, this.#tokens, [], true);
  };

  readonly decided = (source: SourceId): ResolvedFile['decided'] =>
    this.#resolutions.get(source)?.resolved.decided ?? new Map();

  readonly left = (source: SourceId): ResolvedFile['left'] => {
    const isUsed = [...this.#uses.values()].some((used) => used.has(source));
    return (isUsed ? undefined : this.#resolutions.get(source)?.resolved.left) ?? new Map();
  };

  readonly columns = (source: SourceId): readonly string[] => [
    ...(this.#resolutions.get(source)?.resolved.columns ?? []),
  ];

  readonly signature = (source: SourceId): FileSignature => {
    const resolution = this.#resolutions.get(source);
    if (resolution === undefined) return { needs: [], opens: [], closes: [], possible: [] };
    const { opens, closes, makes, ends, endsAll, needs, sessions: atEnd } = resolution.effects();
    const { sessions = [] } = resolution.resolved.file.meta;
    const { returns } = resolution.resolved;
    return {
      needs: [...sessions, ...needs],
      opens: [...opens, ...makes],
      closes: [...closes, ...ends, ...[...endsAll].map((kind) => `every ${kind}`)],
      possible: [...opens, ...makes, ...closes, ...ends].filter(
        (name) => (atEnd.get(name) ?? 'possible') === 'possible',
      ),
      ...(returns && { returns }),
    };
  };

  readonly seal = (sources?: readonly SourceId[]): SealedPlan =>
    seal(
      this.#withDependencies(sources).flatMap((source) => this.units(source)),
      (algorithm) => this.#context.host.digest(algorithm),
    );

  readonly places = (sources?: readonly SourceId[]): Places => {
    const [only, ...more] = this.#withDependencies(sources).map((source) => this.#placesOf(source));
    return more.length === 0 ? (only ?? {}) : Object.assign({}, only, ...more);
  };

  #placesOf(source: SourceId): Places {
    const document = this.#resolutions.get(source)?.resolved.file.document;
    if (document === undefined) return {};
    const [only, ...more] = this.units(source).flatMap(({ nodes, unit }) =>
      unit.inputs.length === 0 && unit.sessions === undefined
        ? placesOf(nodes)
        : [placesOf(nodes), placesOfNeeds(unit, document)],
    );
    return more.length === 0 ? (only ?? {}) : Object.assign({}, only, ...more);
  }

  #idsOf(source: SourceId): readonly SourceId[] {
    const file = this.#resolutions.get(source)?.resolved.file;
    return file === undefined ? [source] : unitIds(file);
  }

  /** A file with those that its steps use, and theirs. */
  #withUsed(source: SourceId): readonly SourceId[] {
    const all = new Set([source]);
    for (const each of all) for (const used of this.#uses.get(each) ?? []) all.add(used);
    return [...all];
  }

  /** Sources with all that they depend on, in the order of `files`. */
  #withDependencies(sources: readonly SourceId[] = unitsOf(this.files)): readonly SourceId[] {
    const wanted = new Set<SourceId>();
    const waiting = [...sources];
    for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
      if (wanted.has(source)) continue;
      wanted.add(source);
      addAll(waiting, this.#byId.get(source)?.after ?? []);
    }
    return this.files.map(({ source }) => source).filter((source) => wanted.has(source));
  }
}
