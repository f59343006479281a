import { dirname } from 'node:path';

import type { Document } from '#grammar/document/document.ts';
import { addAll } from '#grammar/source/add-all.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import type { Route, Span } from '#schemas/types/place.ts';

import type { Compilation } from './compilation.ts';
import type { CompileHost, CompileOptions } from './context.ts';
import type { LoadedFile } from './load.ts';
import { optionRoute, stepRoute } from './phases/3-parse/routes.ts';
import { GroupedCalls } from './phases/lint/call-groups.ts';
import { lint, loadRules } from './phases/lint/index.ts';
import { filledBy, matrixKeysOf } from './phases/lint/filled.ts';
import type {
  FilledCall,
  LintConfiguration,
  PathConfiguration,
  ResolvedCall,
  ResolvedUnit,
  Rule,
  Written,
} from './phases/lint/rule.ts';
import { writtenAs } from './phases/lint/literals.ts';
import type { OnSuppressed } from './phases/lint/suppress.ts';
import { commandLabel } from './phases/4-resolve/bind.ts';
import { STDIN } from './phases/4-resolve/files.ts';
import { profilesOf, type Profile } from './phases/4-resolve/outside/profiles.ts';
import { argumentRoute, type ResolvedFile } from './phases/4-resolve/resolved.ts';
import { listsOf } from './phases/4-resolve/walk-calls.ts';
import type { PlannedNode } from './phases/6-plan/unit.ts';

/**
 * Everything that is to be said of files that were compiled: what the phases found, and what the rules find.
 * Suppressions are honoured in both. No rule looks at files that were only pulled in, nor at what `isIgnored` names.
 */
export async function lintFiles(
  compilation: Compilation,
  configuration: LintConfiguration,
  { isIgnored = () => false, paths = [], defaults = {}, parseEnv, onSuppressed }: LintedFiles,
): Promise<readonly Diagnostic[]> {
  const linted = new Map(
    compilation.files.filter((file) => !file.isPulledIn && !isIgnored(file.source)).map((file) => [file.source, file]),
  );
  const bySource = Map.groupBy(compilation.diagnostics, ({ primary }) => primary.source);
  const untouched = compilation.diagnostics.filter(({ primary }) => linted.get(primary.source)?.document === undefined);
  const found: Diagnostic[] = [...untouched];
  const text = JSON.stringify(defaults);
  const rulesOf = new Map<string, readonly Rule[]>();
  const ready: Ready[] = [];
  for (const file of linted.values()) {
    const own = configurationFor(file.source, configuration, paths);
    const key = JSON.stringify(own);
    const rules = rulesOf.get(key) ?? (await loadRules(own));
    rulesOf.set(key, rules);
    const profiles = await profilesFor(file, compilation, parseEnv);
    const resolved = compilation.isBroken(file.source) ? undefined : resolvedUnit(compilation, file);
    ready.push({
      file,
      resolved,
      compared: [],
      linting: { configuration: own, rules, defaults: text, profiles, onSuppressed },
    });
  }
  compare(ready);
  for (const each of ready) addAll(found, lintFile(each, bySource.get(each.file.source) ?? []));
  return found;
}

/** All of a unit but what is the same for every rule of its file. */
type UnitToLint = Omit<ResolvedUnit, 'at' | 'document' | 'report'>;

interface Ready {
  readonly file: LoadedFile;
  readonly resolved: UnitToLint | undefined;
  /** Findings of rules that compare files. */
  readonly compared: Diagnostic[];
  readonly linting: Linting;
}

/** Runs the rules that compare files over those that let them run. */
function compare(ready: readonly Ready[]): void {
  const rules = new Set(ready.flatMap(({ linting }) => linting.rules.filter(({ project }) => project)));
  for (const rule of rules) {
    const units = ready.flatMap(({ resolved, compared, linting }) =>
      resolved === undefined || !linting.rules.includes(rule)
        ? []
        : [{ ...resolved, report: (diagnostic: Diagnostic) => void compared.push(diagnostic) }],
    );
    if (units.length > 1) rule.project?.(units);
  }
}

/**
 * Most files read no key of an environment: nothing is looked for then. One that names its environment runs with that.
 */
async function profilesFor(
  { path, text, file }: LoadedFile,
  { reader, root, cwd }: Compilation,
  parseEnv: CompileHost['parseEnv'],
): Promise<readonly Profile[]> {
  if (!text.includes('ENV.') || file?.meta.env !== undefined) return [];
  return profilesOf(path === STDIN ? cwd : dirname(path), { reader, root, host: { parseEnv } });
}

/** Settings of which files are linted, and how. */
export interface LintedFiles {
  /** Files that no rule looks at. */
  readonly isIgnored?: ((source: string) => boolean) | undefined;
  /** Other presets and severities for some; of several that fit, later ones win. */
  readonly paths?: readonly PathConfiguration[] | undefined;
  /** Parameters that the configuration gives to calls. */
  readonly defaults?: CompileOptions['defaults'];
  readonly parseEnv: CompileHost['parseEnv'];
  /** Told of findings that their authors mean so. */
  readonly onSuppressed?: OnSuppressed | undefined;
}

function configurationFor(
  source: string,
  base: LintConfiguration,
  paths: readonly PathConfiguration[],
): LintConfiguration {
  return paths
    .filter(({ isOf }) => isOf(source))
    .reduce<LintConfiguration>(
      ({ preset, rules }, own) => ({
        ...((own.preset ?? preset) && { preset: own.preset ?? preset }),
        rules: { ...rules, ...own.rules },
      }),
      base,
    );
}

interface Linting {
  readonly profiles: readonly Profile[];
  readonly configuration: LintConfiguration;
  readonly rules: readonly Rule[];
  /** Text of the parameters that the configuration gives. */
  readonly defaults: string;
  readonly onSuppressed: OnSuppressed | undefined;
}

function lintFile({ file, resolved, compared, linting }: Ready, before: readonly Diagnostic[]): readonly Diagnostic[] {
  const document = file.migrated ?? file.document;
  if (document === undefined) return [];
  const others = before.map((diagnostic) => ({ diagnostic, span: spanOf(diagnostic, file, document) }));
  return lint({ document, ...linting, compared, others, ...(resolved && { resolved }) });
}

/** Span of a finding; findings of migrate speak of the file as written. */
function spanOf(
  { code, primary: { route, part } }: Diagnostic,
  { document: written }: LoadedFile,
  migrated: Document,
): Span {
  return (code.startsWith('SVC2') ? (written ?? migrated) : migrated).spanAt(route, part);
}

function resolvedUnit(compilation: Compilation, file: LoadedFile): UnitToLint {
  // Units of one file differ in their values alone.
  const units = compilation.units(file.source);
  const [planned] = units;
  if (planned === undefined) throw new Error(`${file.source} has no unit`);
  const { unit, nodes } = planned;
  const decided = compilation.decided(file.source);
  const own = ownNodes(nodes, file);
  const calls = own.map((planned) => new PlannedCall(planned, decided));
  const left = compilation.left(file.source);
  const leaving = new Map(left.size === 0 ? [] : own.map(({ call }, index) => [call, calls[index]] as const));
  const combinations = units.map(({ unit: { matrix } }) => matrix).filter((each) => each !== undefined);
  const filled = combinations.length === 0 ? [] : filledCalls(own, combinations, decided);
  return {
    unit,
    calls,
    groups: new GroupedCalls(calls),
    left: [...left].flatMap(([name, opener]) => {
      const call = leaving.get(opener);
      return call === undefined ? [] : [{ name, call }];
    }),
    returns: file.file?.meta.returns ?? {},
    columns: compilation.columns(file.source),
    combinations,
    filled,
  };
}

function filledCalls(
  nodes: readonly PlannedNode[],
  combinations: readonly JsonObject[],
  decided: ResolvedFile['decided'],
): readonly FilledCall[] {
  return nodes.flatMap((planned) => {
    const keys = matrixKeysOf(planned.node);
    if (keys.length === 0) return [];
    const valuesOf = (combination: JsonObject): JsonObject =>
      Object.fromEntries(keys.map((key) => [key, combination[key] ?? null]));
    const each = new Map(combinations.map(valuesOf).map((values) => [JSON.stringify(values), values]));
    return [...each.values()].map((values) => ({
      call: new PlannedCall({ ...planned, node: filledBy(planned.node, values) }, decided),
      values,
    }));
  });
}

/** Steps of files that are used are looked at with their files. */
function ownNodes(nodes: readonly PlannedNode[], { document, migrated }: LoadedFile): readonly PlannedNode[] {
  const own = migrated ?? document;
  return nodes.every((node) => node.document === own) ? nodes : nodes.filter((node) => node.document === own);
}

/** A call with its places, which are made when a finding needs one: there may be many calls. */
class PlannedCall implements ResolvedCall {
  readonly node: ResolvedCall['node'];
  readonly info: ResolvedCall['info'];
  readonly #planned: PlannedNode;
  readonly #decided: ResolvedFile['decided'];

  constructor(planned: PlannedNode, decided: ResolvedFile['decided']) {
    this.node = planned.node;
    this.info = planned.call.signature.info;
    this.#planned = planned;
    this.#decided = decided;
  }

  get section(): ResolvedCall['section'] {
    return this.#planned.section;
  }

  get holdsSteps(): boolean {
    return listsOf(this.#call).size > 0;
  }

  get #call(): PlannedNode['call'] {
    return this.#planned.call;
  }

  get #document(): Document {
    return this.#planned.document;
  }

  get route(): Route {
    return stepRoute(this.#call.step);
  }

  isWritten(parameter: string): boolean {
    return Object.hasOwn(this.#call.args, parameter);
  }

  isDecided(condition: string): boolean {
    return this.#decided.get(this.#call)?.has(condition) === true;
  }

  written(): readonly Written[] {
    return this.info.params.flatMap((parameter) => this.writtenAs(parameter) ?? []);
  }

  writtenAs(parameter: Written['parameter']): Written | undefined {
    const { name } = parameter;
    const value = this.isWritten(name) ? this.node.args[name] : undefined;
    return value === undefined ? undefined : writtenAs(parameter, value);
  }

  commandAt(): Label {
    return commandLabel(this.#call.step, this.#document);
  }

  argumentAt(parameter: string): Label {
    return this.#at(argumentRoute(this.#call, parameter, this.#document));
  }

  optionAt(option: string): Label {
    return this.#at(optionRoute(this.#call.step, this.#document, option));
  }

  #at(route: Route): Label {
    return { source: this.#document.source, route, part: 'value' };
  }
}
