import type { CompileContext } from '#compiler/context.ts';
import { Suggestions } from '#compiler/did-you-mean.ts';
import { late } from '#grammar/language/late.ts';
import { isList, type JsonObject } from '#schemas/types/json.ts';
import type { Route, SourceId } from '#schemas/types/place.ts';

import type { ActionFile, Section } from '../3-parse/ast.ts';
import { MAX_ACTIONS } from '../3-parse/reading.ts';
import { stepRoute, valueAt } from '../3-parse/routes.ts';

import { Calls } from './calls.ts';
import { ChangesBefore } from './outside/changes-before.ts';
import { knownRows, type Datasets } from './outside/dataset.ts';
import { definedNames, unreadWords } from './definitions.ts';
import { folderOf } from './files.ts';
import { definersOf, environmentOf, graphsOf, isOpen, readProfiles } from './gather.ts';
import { effectsOf } from './flows.ts';
import type { ListFacts, Knowledge } from './knowledge.ts';
import { stepIds } from './order.ts';
import { pathsIn } from './outside/literal-paths.ts';
import { readNarrowed } from './outside/narrowed.ts';
import { writesOf } from './outside/writes.ts';
import { joined, type Writes } from './outside/written-paths.ts';
import { Placeholders } from './placeholders.ts';
import type { Call, CallList, OpenUsed, ResolvedFile, UsedFile } from './resolved.ts';
import { everything, FlowFacts } from './flow-facts.ts';
import type { Tokens } from './tokens.ts';
import { cellOf, holdsMark } from './typed-by.ts';
import { asSchema, typeOfInput } from './value-type.ts';
import { TypeCell, UNTYPED, type Variable } from './variable.ts';
import { eachCall, eachList } from './walk-calls.ts';

/** Knowledge that crosses a `depends_on` edge: the variables that the files before may have left. */
export interface Outside {
  readonly variables: ReadonlyMap<string, Variable>;
  /** A file before may have defined names that only a run knows. */
  readonly isOpen: boolean;
  /** Paths that a file before may have changed. */
  readonly writes: () => Writes;
}

export interface ResolveInput {
  readonly file: ActionFile;
  /** Files that this one depends on, in the order named. */
  readonly after: readonly SourceId[];
  readonly outside: Outside;
  readonly tokens: Tokens;
  readonly datasets: Datasets;
  readonly use: OpenUsed;
  /** Whether steps of other files alone run it: what they change before is not known. */
  readonly isUsed: boolean;
}

export interface Resolution {
  readonly resolved: ResolvedFile;
  /** Variables that files which depend on this one may use. */
  readonly offers: () => Outside;
  /** Effects that steps of other files know of which use this one. */
  readonly effects: () => Omit<UsedFile, 'resolved'>;
}

/**
 * Turns names, references, files and graphs of one file into what they mean, and reports what cannot be there. The
 * files that it depends on are resolved before it.
 */
export async function resolve(
  { file, after, outside, tokens, datasets, use, isUsed }: ResolveInput,
  context: CompileContext,
): Promise<Resolution> {
  const { report, options, verb } = context;
  const { document, meta } = file;
  const most = options.limits?.actions ?? MAX_ACTIONS;
  const calls = new Calls(file, context, tokens, { use, budget: { most, left: most - actionsOf(file) } });
  await calls.commands.begin();
  const lists: Lists = {
    setup: await calls.list(file.setup),
    body: await calls.list(file.body),
    teardown: await calls.list(file.teardown),
  };
  const all = [lists.setup, lists.body, lists.teardown];
  for (const value of Object.values(meta.returns ?? {})) if (typeof value === 'string') tokens.note(value);
  if (meta.base_url !== undefined) tokens.note(meta.base_url);
  if (meta.matrix !== undefined && meta.name !== undefined) tokens.note(meta.name);
  await tokens.prepare();
  const folder = folderOf(document.source, context);
  const rows =
    meta.dataset === undefined ? undefined : await knownRows(meta.dataset, document.source, folder, datasets, context);
  const profiles = await readProfiles(all, calls.commands.found, tokens, context);
  const pathOf = pathsIn(document.source, tokens, context);
  // Most files are asked for nothing that needs all of their steps.
  const writes = late(() => joined([outside.writes(), writesOf(all, pathOf)]));
  const isAgain = meta.dataset !== undefined || meta.matrix !== undefined;
  const changes = new ChangesBefore({ lists: all, before: outside.writes, pathOf, isAgain });
  const definers = late(() => definersOf(all, tokens, profiles));
  const suggestions = new Suggestions();
  const knowledge: Knowledge = {
    document,
    meta,
    tokens,
    profiles,
    rows,
    types: new Map(),
    decided: new Map(),
    collected: new Map(),
    narrowed: await readNarrowed(all, calls.commands.found, {
      reader: context.reader,
      root: context.root,
      pathOf,
      mayChange: (path, call) => isUsed || options.isOpen === true || changes.mayChange(path, call),
      isFilled: (value) => holdsMark(value),
      baseUrl: meta.base_url,
    }),
    follow: options.follow,
    report,
    suggestions,
    definers,
    unread: late(() => unreadWords(all, document)),
    isPart: options.isOpen === true,
    hasCaller: isUsed,
    isIncomplete: hasIncomplete(all),
    ids: stepIds(all, { document, report }),
    dags: await graphsOf(all, { document, report, suggestions }),
    environment: await environmentOf(document.text, folder, meta.env, context),
    isEnvironmentStrict: verb === 'run' || options.env !== undefined || options.dotenv !== undefined,
  };
  const given = new Map([
    ...outside.variables,
    ...Object.keys(options.vars ?? {}).map((name) => [name, UNTYPED] as const),
    ...(meta.inputs ?? []).map(({ name, schema }) => [name, inputVariable(name, schema, document.source)] as const),
  ]);
  const { returns, left, open, sessions } = follow(lists, knowledge, given, outside.isOpen);
  const offers = late((): Outside => ({
    variables: new Map([...given, ...[...definers().keys()].map((name) => [name, left(name)] as const)]),
    isOpen: outside.isOpen || isOpen(all, tokens, profiles),
    writes,
  }));
  return {
    resolved: {
      file,
      ...lists,
      after,
      types: knowledge.types,
      decided: knowledge.decided,
      left: open,
      ...(returns && { returns }),
      modules: calls.commands.modules.all,
      uses: calls.uses,
      ...(rows === undefined ? {} : { rows: rows.rows, columns: [...(rows.columns?.keys() ?? [])] }),
    },
    offers,
    effects: late(() => {
      const {
        ids: _ids,
        defines: _defines,
        isOpen: _isOpen,
        uses: _uses,
        ...effects
      } = effectsOf(
        all.flatMap((list) => list.calls),
        knowledge,
      );
      return { ...effects, sessions, count: countOf(all), writes };
    }),
  };
}

/** Whether a step of a list, or of one inside, was left out. */
function hasIncomplete(lists: readonly CallList[]): boolean {
  let found = false;
  eachList(lists, ({ incomplete }) => {
    found ||= incomplete;
  });
  return found;
}

/** Steps of lists, those inside others and those of files that they use included. */
function countOf(lists: readonly CallList[]): number {
  let count = 0;
  eachCall(lists, ({ used }) => {
    count += 1 + (used?.count ?? 0);
  });
  return count;
}

function actionsOf({ setup, body, teardown }: ActionFile): number {
  return setup.steps.length + body.steps.length + teardown.steps.length;
}

/** Route of a returned name: in a list of names, the name; in an object, the value. */
function returnsRoute({ value }: ActionFile['document'], name: string): Route {
  const route = ['meta', 'returns'];
  const written = valueAt(value, route) ?? null;
  return isList(written) ? [...route, Math.max(written.indexOf(name), 0)] : [...route, name];
}

type Lists = Readonly<Record<Section, CallList>>;

function inputVariable(name: string, schema: JsonObject, source: SourceId): Variable {
  const outside = { source, route: ['meta', 'inputs', name], part: 'value' } as const;
  return { cell: new TypeCell(() => typeOfInput(schema)), outside };
}

function follow(
  { setup, body, teardown }: Lists,
  knowledge: Knowledge,
  given: ReadonlyMap<string, Variable>,
  isOpenBefore: boolean,
): Followed {
  const all = everything(() => new Set([...given.keys(), ...knowledge.definers().keys()]));
  const placeholders = new Placeholders(knowledge, all);
  const known = new FlowFacts();
  for (const [name, variable] of given) known.define(name, variable);
  if (isOpenBefore) known.open();
  // A caller brings them.
  for (const session of knowledge.meta.sessions ?? []) known.assumeSession(session);
  if (knowledge.hasCaller || knowledge.meta.sessions !== undefined) known.assumeHandles();
  const factsOf = (section: Section): ListFacts => ({
    section,
    hasEvent: false,
    eventKinds: undefined,
    ownRows: undefined,
    isSure: true,
    isParallel: false,
    guards: [],
  });
  const { base_url: base, matrix, name } = knowledge.meta;
  if (matrix !== undefined && name !== undefined)
    placeholders.text(name, () => ['meta', 'name'], {
      view: all,
      ofList: factsOf('body'),
      resultOf: undefined,
      isAsked: false,
    });
  if (base !== undefined)
    placeholders.text(base, () => ['meta', 'base_url'], {
      view: all,
      ofList: factsOf('body'),
      resultOf: undefined,
      isAsked: false,
    });
  placeholders.list(setup, known, factsOf('setup'));
  const begun = known.marks();
  placeholders.list(body, known, factsOf('body'));
  if (knowledge.meta.dataset !== undefined) placeholders.nextRow(body, begun, known, factsOf('body'));
  for (const [name, value] of Object.entries(knowledge.meta.returns ?? {}))
    if (typeof value === 'string')
      placeholders.text(value, () => returnsRoute(knowledge.document, name), {
        view: known,
        ofList: factsOf('body'),
        resultOf: undefined,
        isAsked: false,
      });
  const { returns } = knowledge.meta;
  const returned =
    returns &&
    Object.fromEntries(
      Object.entries(returns).map(([name, value]) => [name, asSchema(cellOf(value, known, knowledge).get())]),
    );
  // A teardown may have defined its variables again, or not: nothing is known of them.
  const again = definedNames([teardown], knowledge.tokens, knowledge.profiles);
  // Most files have none, and there may be many variables.
  const hasTeardown = teardown.calls.length > 0 || teardown.incomplete;
  const atEnd = hasTeardown ? new Map(known.own()) : known.own();
  if (hasTeardown) {
    known.endEarly();
    placeholders.list(teardown, known, factsOf('teardown'));
  }
  const left = (name: string): Variable =>
    again.has(name) ? UNTYPED : leftBehind(atEnd.get(name) ?? UNTYPED, knowledge.document.source);
  return { returns: returned, left, open: known.left(), sessions: known.moved() };
}

interface Followed {
  /** Types of `meta.returns`. */
  readonly returns: JsonObject | undefined;
  /** A variable as files see it that depend on this one. */
  readonly left: (name: string) => Variable;
  /** Sessions and other things that are open at its end, and the step that opened each last. */
  readonly open: ReadonlyMap<string, Call>;
  readonly sessions: UsedFile['sessions'];
}

/**
 * The variable as it crosses to another file: of its maker, the place alone is of use there. A file that ended
 * well has gone one of its ways, nobody knows which.
 */
function leftBehind({ cell, from, outside }: Variable, source: SourceId): Variable {
  const place = outside ?? (from && { source, route: stepRoute(from.step), part: 'value' as const });
  return { cell, ...(place && { outside: place }) };
}
