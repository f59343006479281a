import type { CompileContext } from '#compiler/context.ts';
import { Suggestions } from '#compiler/did-you-mean.ts';
import { isList, type JsonObject } from '#schemas/types/json.ts';
import type { Route, SourceId } from '#schemas/types/place.ts';

import type { ActionFile, Section } from '../3-parse/ast.ts';
import { MAX_ACTIONS } from '../3-parse/reading.ts';
import { valueAt } from '../3-parse/routes.ts';

import { Calls } from './calls.ts';
import { knownRows } from './dataset.ts';
import { folderOf } from './files.ts';
import { definersOf, environmentOf, graphsOf, isOpen, readProfiles } from './gather.ts';
import { effectsOf } from './flows.ts';
import type { Frame, Knowledge } from './knowledge.ts';
import { stepIds } from './order.ts';
import { Placeholders } from './placeholders.ts';
import type { CallList, OpenUsed, ResolvedFile, UsedFile } from './resolved.ts';
import { everything, Scope } from './scope.ts';
import type { Tokens } from './tokens.ts';
import { cellOf } from './typed-by.ts';
import { asSchema, typeOfInput } from './value-type.ts';
import { TypeCell } from './variable.ts';
import { eachCall } from './walk-calls.ts';

/** What crosses a `depends_on` edge: the variables that the files before may have left. */
export interface Outside {
  readonly variables: ReadonlySet<string>;
  /** A file before may have defined names that only a run knows. */
  readonly isOpen: boolean;
}

export interface ResolveInput {
  readonly file: ActionFile;
  /** Files that this one depends on, in the order named. */
  readonly after: readonly SourceId[];
  readonly outside: Outside;
  readonly tokens: Tokens;
  readonly use: OpenUsed;
}

export interface Resolution {
  readonly resolved: ResolvedFile;
  /** What files that depend on this one may use. */
  readonly offers: () => Outside;
  /** What of it steps of other files know that use it. */
  readonly effects: () => Omit<UsedFile, 'resolved'>;
}

/**
 * Turns names, references, files and graphs of one file into what they mean, and reports what cannot be there. The files
 * that it depends on are resolved before it.
 */
export async function resolve(
  { file, after, outside, tokens, use }: ResolveInput,
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
  const rows = meta.dataset === undefined ? undefined : await knownRows(meta.dataset, document.source, folder, context);
  const profiles = await readProfiles(all, calls.commands.found, tokens, context);
  const definers = once(() => definersOf(all, tokens, profiles));
  const suggestions = new Suggestions();
  const knowledge: Knowledge = {
    document,
    meta,
    tokens,
    profiles,
    rows,
    types: new Map(),
    follow: options.follow,
    report,
    suggestions,
    definers,
    isPart: options.isOpen === true,
    ids: stepIds(all, { document, report }),
    dags: await graphsOf(all, { document, report, suggestions }),
    environment: await environmentOf(document.text, folder, meta.env, context),
    isEnvironmentStrict: verb === 'run' || options.env !== undefined || options.dotenv !== undefined,
  };
  const given = [
    ...outside.variables,
    ...(meta.inputs ?? []).map(({ name }) => name),
    ...Object.keys(options.vars ?? {}),
  ];
  const returns = follow(lists, knowledge, given, outside.isOpen);
  const offers = once((): Outside => ({
    variables: new Set([...given, ...definers().keys()]),
    isOpen: outside.isOpen || isOpen(all, tokens, profiles),
  }));
  return {
    resolved: {
      file,
      ...lists,
      after,
      types: knowledge.types,
      ...(returns && { returns }),
      modules: calls.commands.modules.all,
      uses: calls.uses,
      ...(rows === undefined ? {} : { rows: rows.rows }),
    },
    offers,
    effects: once(() => {
      const { opens, closes, addsEnvironment } = effectsOf(
        all.flatMap((list) => list.calls),
        knowledge,
      );
      return { opens, closes, addsEnvironment, count: countOf(all) };
    }),
  };
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

/** In a list of names, the name; in an object, the value. */
function returnsRoute({ value }: ActionFile['document'], name: string): Route {
  const route = ['meta', 'returns'];
  const written = valueAt(value, route) ?? null;
  return isList(written) ? [...route, Math.max(written.indexOf(name), 0)] : [...route, name];
}

type Lists = Readonly<Record<Section, CallList>>;

/** Most files are asked for nothing that needs all of their steps. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function follow(
  { setup, body, teardown }: Lists,
  knowledge: Knowledge,
  given: readonly string[],
  isOpenBefore: boolean,
): JsonObject | undefined {
  const all = everything(() => new Set([...given, ...knowledge.definers().keys()]));
  const placeholders = new Placeholders(knowledge, all);
  const scope = new Scope();
  const inputs = new Map(knowledge.meta.inputs?.map((input) => [input.name, input]));
  for (const name of given) {
    const input = inputs.get(name);
    scope.define(name, input && { cell: new TypeCell(() => typeOfInput(input.schema)) });
  }
  if (isOpenBefore) scope.open();
  // A caller brings them.
  for (const session of knowledge.meta.sessions ?? []) scope.assumeSession(session);
  const frame = (section: Section): Frame => ({
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
      frame: frame('body'),
      resultOf: undefined,
      isAsked: false,
    });
  if (base !== undefined)
    placeholders.text(base, () => ['meta', 'base_url'], {
      view: all,
      frame: frame('body'),
      resultOf: undefined,
      isAsked: false,
    });
  placeholders.list(setup, scope, frame('setup'));
  placeholders.list(body, scope, frame('body'));
  for (const [name, value] of Object.entries(knowledge.meta.returns ?? {}))
    if (typeof value === 'string')
      placeholders.text(value, () => returnsRoute(knowledge.document, name), {
        view: scope,
        frame: frame('body'),
        resultOf: undefined,
        isAsked: false,
      });
  const { returns } = knowledge.meta;
  const returned =
    returns &&
    Object.fromEntries(
      Object.entries(returns).map(([name, value]) => [name, asSchema(cellOf(value, scope, knowledge).get())]),
    );
  scope.endEarly();
  placeholders.list(teardown, scope, frame('teardown'));
  return returned;
}
