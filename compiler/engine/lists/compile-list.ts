import { check, compile, type Compilation, type CompileHost, type CompileOptions, type Source } from '#compiler/api.ts';
import { orderByDependency } from '#compiler/graph/dag.ts';
import { STDIN } from '#compiler/phases/4-resolve/files.ts';
import type { CompiledPart } from '#runtime/kernel/linked.ts';
import type { ActionCheck } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { CommandFacts } from '#schemas/types/command.ts';
import type { SourceId } from '#schemas/types/place.ts';
import type { Node, Places, Unit } from '#schemas/types/plan.ts';

import { adviceOn, MOST_FOUND, problemsOf, told, type Problems } from './action-problems.ts';
import { isUnread, refusedAs, refusedUnread } from './refused-as.ts';
import { renamed } from './renamed-nodes.ts';
import { watchedHost } from './watched-host.ts';

/** Surroundings of a list. */
export interface ListAround {
  /** Folders, absolute: of the project, and of lists that stand in no file. */
  readonly root: string;
  readonly here: string;
  /** Names of functions of the program around, which lists may call. */
  readonly functions?: ReadonlySet<string>;
}

/** Action list, or files of lists, to compile: data alone, so that another thread can be given it. */
export interface ListWork extends ListAround {
  /** Text of a list, or paths of files. */
  readonly given: string | readonly string[];
  /** Beginning of the ids of all steps. */
  readonly prefix: string;
}

/** A compiled list as data: facts of the commands that it can run, places of its steps, and what runs. */
export interface ListPlan {
  readonly facts: Readonly<Record<string, CommandFacts>>;
  readonly places: Places;
  readonly parts: readonly CompiledPart[];
}

/** Outcome of `compileLists`. */
export interface ListsMade {
  /** One for the list, or for each file. */
  readonly plans: readonly ListPlan[];
  /** Whether files, variables of the environment or the time were looked at, and not the text alone. */
  readonly lookedAround: boolean;
}

/** Compiles a list, or files of lists. Rejects with a failure that tells the first findings. */
export async function compileLists(work: ListWork, host: CompileHost): Promise<ListsMade> {
  const { given, prefix } = work;
  const options = optionsOf(work);
  const watched = watchedHost(host);
  if (typeof given === 'string') {
    const plan = await compileText(given, prefix, watched.host, options);
    return { plans: [plan], lookedAround: watched.wasAsked() };
  }
  const compilations: Compilation[] = [];
  for (const path of given) compilations.push(await compileFile(path, host, options));
  const plans = compilations.map((compilation, index) => {
    const listed = compilation.files.find(({ isPulledIn }) => !isPulledIn)?.source ?? '';
    const sources = compilation.files.filter(({ isUsed }) => !isUsed).map(({ source }) => source);
    return planOf(compilation, listed, sources, `${prefix}.${index}`);
  });
  return { plans, lookedAround: true };
}

/** Finds the mistakes of a list. */
export async function checkList(content: string, around: ListAround, host: CompileHost): Promise<ActionCheck> {
  return checkOf(await check([asSource(content)], optionsOf(around), host));
}

/** Variables of the unit that runs the list count as possible. */
function optionsOf({ root, here, functions }: ListAround): CompileOptions {
  return {
    isOpen: true,
    outside: 'anywhere',
    root,
    here,
    mostFindings: MOST_FOUND,
    ...(functions && { functions }),
  };
}

function asSource(content: string): Source {
  return { path: STDIN, content };
}

async function compileText(
  content: string,
  prefix: string,
  host: CompileHost,
  options: CompileOptions,
): Promise<ListPlan> {
  const compilation = await compile([asSource(content)], options, host);
  const problems = problemsOf(compilation);
  if (problems.count > 0)
    throw refusedAs(
      fail.actionsInvalid({ problems: told(problems), actual: problems.lines, ...adviceOn(compilation) }),
      compilation.diagnostics,
    );
  const list = compilation.files.find(({ source }) => source === STDIN)?.file;
  const unmet = LISTS_LACK.filter((key) => list?.meta[key] !== undefined);
  if (unmet.length > 0)
    throw fail.actionsInvalid({ problems: unmet.map((key) => `meta.${key}: only files have one`).join('; ') });
  return planOf(compilation, STDIN, [STDIN], prefix);
}

/** Parts of `meta` that a file asks for which runs by itself, and that no step of another run can give. */
const ALONE = ['matrix', 'dataset'] as const;
/** A list stands behind no files either: where they are looked for, nobody knows who sends it. */
const LISTS_LACK = [...ALONE, 'depends_on'] as const;

async function compileFile(path: string, host: CompileHost, options: CompileOptions): Promise<Compilation> {
  if ((await host.files.find(path))?.kind !== 'file')
    throw refusedUnread(fail.actionFileRefused({ path, cause: fail.fileNotFound({ path }) }));
  const compilation = await compile([{ path }], options, host);
  const alone = compilation.files.flatMap(({ source, file }) =>
    ALONE.filter((key) => file?.meta[key] !== undefined).map((key) => ({ source, key })),
  );
  const found = problemsOf(compilation);
  const problems: Problems = {
    lines: [...found.lines, ...alone.map(({ source, key }) => `${source}: a file with a ${key} runs by itself only`)],
    count: found.count + alone.length,
  };
  if (problems.count === 0) return compilation;
  const refused = fail.actionFileRefused({
    path,
    cause: fail.actionsInvalid({ problems: told(problems), ...adviceOn(compilation) }),
  });
  throw isUnread(compilation.diagnostics) ? refusedUnread(refused) : refused;
}

function checkOf(compilation: Compilation): ActionCheck {
  const body = compilation.files[0]?.file?.body.steps ?? [];
  const { lines, count } = problemsOf(compilation);
  const more = count - lines.length;
  return {
    commands: body.map(({ command }) => command),
    problems: more > 0 ? [...lines, `… ${more} more`] : lines,
  };
}

/** A file behind those that it depends on, with ids below the step that runs them. */
function planOf(compilation: Compilation, listed: SourceId, sources: readonly SourceId[], prefix: string): ListPlan {
  const { plan } = compilation.seal([listed]);
  const units = sources.flatMap((source) => plan.units.filter((unit) => unit.source === source));
  const begins = new Map(
    units.map(({ source }) => [`${source}#`, source === listed ? `${prefix}.` : `${prefix}.${source}.`]),
  );
  const places = Object.entries(compilation.places([listed])).filter(([, { file }]) => file !== STDIN);
  const idOf = (id: string): string => begin(id, begins);
  return {
    facts: plan.commands,
    places: Object.fromEntries(places.map(([id, place]) => [idOf(id), place])),
    parts: units.map((unit) => partOf(unit, idOf)),
  };
}

function begin(id: string, begins: ReadonlyMap<string, string>): string {
  const hash = id.indexOf('#') + 1;
  return (begins.get(id.slice(0, hash)) ?? id.slice(0, hash)) + id.slice(hash);
}

/** A graph's nodes in an order in which each stands behind what it depends on. */
function partOf(
  { source, after, inputs, setup, body, teardown, order }: Unit,
  idOf: (id: string) => string,
): CompiledPart {
  const own = (nodes: readonly Node[]): readonly Node[] => nodes.map((node) => renamed(node, idOf));
  return {
    source,
    after,
    inputs,
    setup: own(setup),
    body: own(order.kind === 'graph' ? byDependency(body) : body),
    teardown: own(teardown),
  };
}

function byDependency(nodes: readonly Node[]): readonly Node[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const ordered = orderByDependency([...byId.keys()], (id) => byId.get(id)?.after ?? []);
  return 'cycle' in ordered ? nodes : ordered.order.flatMap((id) => byId.get(id) ?? []);
}
