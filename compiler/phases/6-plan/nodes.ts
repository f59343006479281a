import { isObject, type JsonObject } from '#schemas/types/json.ts';
import type { CallNode, Capture, Node, Retry, UseNode, Value } from '#schemas/types/plan.ts';
import { eachConditionReference } from '#schemas/types/condition-references.ts';
import type { Condition } from '#schemas/types/condition-tree.ts';
import { eachReference } from '#schemas/types/fold-value.ts';
import type { Route, SourceId } from '#schemas/types/place.ts';
import type { Ref } from '#schemas/types/reference.ts';
import { late } from '#grammar/language/late.ts';
import { parsePath } from '#grammar/value-path/parse.ts';

import type { ControlForm } from '../1-read/control-forms.ts';
import type { Section, StepOptions } from '../3-parse/ast.ts';
import { flowOf, NO_PROFILES } from '../4-resolve/flow.ts';
import type { AddedModule } from '../4-resolve/modules.ts';
import { definedNames } from '../4-resolve/definitions.ts';
import { localsOf, rangeOf, type Call, type CallList, type UsedFile } from '../4-resolve/resolved.ts';
import type { Flow, Signature, StandardArguments } from '../4-resolve/signature.ts';
import { storedNames } from '../4-resolve/stored-names.ts';
import type { Tokens } from '../4-resolve/tokens.ts';
import { eachCall, listsOf } from '../4-resolve/walk-calls.ts';

import { localId, nodeId } from '../4-resolve/ids.ts';
import { MAX_WORKERS, orderOf } from './order.ts';
import { valueOf } from './values.ts';

/** State that the nodes of one file share. */
export interface Building {
  readonly source: SourceId;
  /**
   * Beginning of the ids of all steps, behind the `#`: those of a file that is used stand below the step that uses it.
   */
  readonly within: string;
  readonly tokens: Tokens;
  /** `meta.retry`: the default of steps that may be repeated. */
  readonly retry: Retry | undefined;
  /** `meta.max_workers`, or its default. */
  readonly maxWorkers: number;
  /** Names that some step of the file defines: what a step needs of others can only be among them. */
  readonly defined: () => ReadonlySet<string>;
  /** The file has errors: what is made of it is shown, and never sealed. */
  readonly isPartial: boolean;
}

/** The nodes of a list of calls. `parent`: the local id of the step and the parameter that hold it. */
export function nodesOf(list: CallList, section: Section, building: Building, parent?: string): readonly Node[] {
  return list.calls.map((call) => nodeOf(call, section, building, parent));
}

function nodeOf(call: Call, section: Section, building: Building, parent: string | undefined): Node {
  const { source } = building;
  const { step, signature } = call;
  const local = localId(call, section, parent);
  const options = step.options ?? NO_OPTIONS;
  const args = argumentsOf(call, section, building, local);
  const conditions = conditionsOf(call, building);
  const retry = options.retry ?? (signature.info.repeat === 'once' ? undefined : building.retry);
  const { provides, uses } = flowFields(call, args, conditions, building);
  const { control } = step;
  const collect = control?.as === undefined ? undefined : call.args['collect'];
  // In the order of names, as the sealed plan has them: it is then written at once. One by one, for there may be many steps.
  const node: Record<string, unknown> = {};
  if (options.depends_on !== undefined)
    node['after'] = options.depends_on.map((id) => nodeId(source, building.within + id));
  node['args'] = args;
  if (control?.as !== undefined) node['as'] = control.as;
  if (call.used !== undefined) Object.assign(node, usedFields(call.used, building));
  if (signature.control?.word === 'parallel') node['blocks'] = [...listsOf(call).keys()];
  if (control?.branches) node['branches'] = true;
  if (collect !== undefined && collect !== null) node['collect'] = valueOf(collect, {}, building.tokens);
  node['command'] = signature.info.name;
  if (conditions.own) node['condition'] = conditions.own;
  if (conditions.expect) node['expect'] = conditions.expect;
  node['id'] = nodeId(source, building.within + local);
  if (signature.control) node['kind'] = signature.control.word;
  if (options.name !== undefined) node['name'] = options.name;
  if (options.on_failure !== undefined) node['on_failure'] = options.on_failure;
  if (provides) node['provides'] = provides;
  if (retry !== undefined) node['retry'] = retry;
  if (options.save_as !== undefined) node['save_as'] = capturesOf(options.save_as);
  if (judgesStatus(call, conditions.expect)) node['status_judged'] = true;
  if (options.tags !== undefined) node['tags'] = options.tags;
  if (options.timeout_s !== undefined) node['timeout_s'] = options.timeout_s;
  if (options.name !== undefined) Object.assign(node, titleOf(options.name, building.tokens));
  if (uses) node['uses'] = uses;
  if (conditions.when) node['when'] = conditions.when;
  return node as unknown as Node;
}

const NO_OPTIONS: StepOptions = {};

/** A name with references in pieces; one that cannot be read stays as it is written. */
function titleOf(name: string | undefined, tokens: Tokens): Pick<Node, 'title'> {
  const parsed = name === undefined ? undefined : tokens.text(name);
  if (parsed === undefined || parsed.problems.length > 0) return {};
  return parsed.parts.every((part) => typeof part === 'string') ? {} : { title: parsed.parts };
}

/**
 * All parameters that have a value: as written, else the default. Only those of the top level are filled
 * (`compiler/language/steps.md`).
 */
function argumentsOf(call: Call, section: Section, building: Building, local: string): Readonly<Record<string, Value>> {
  if (isLiteralCall(call)) return literalArguments(call);
  const args: Record<string, Value> = {};
  const { control } = call.signature;
  if (call.used !== undefined) Object.assign(args, usedBlocks(call.used, building, local));
  if (control?.word === 'parallel') {
    args['max_workers'] = { lit: building.maxWorkers };
    for (const [name, list] of listsOf(call))
      args[name] = { block: nodesOf(list, section, building, `${local}.${name}`) };
  }
  for (const parameter of call.signature.info.params) {
    const { name, schema } = parameter;
    if (isNoArgument(name, control)) continue;
    const block = listsOf(call).get(name);
    const holdsSteps = parameter.list === 'run' || parameter.list === 'background';
    if (call.adds !== undefined && name === call.signature.info.modules?.adds)
      args[name] = { lit: placeText(call.adds) };
    else if (block !== undefined)
      args[name] = { block: nodesOf(block, section, insideOf(call, building), `${local}.${name}`) };
    else if (!Object.hasOwn(call.args, name) || (holdsSteps && call.args[name] === null)) {
      const standard = call.signature.defaults.get(name);
      if (standard !== undefined) args[name] = standard;
    } else if (call.signature.opaque.has(name) || call.texts === undefined)
      args[name] = { lit: call.args[name] ?? null };
    else args[name] = valueOf(call.args[name] ?? null, schema, building.tokens);
  }
  return call.step.control?.as === undefined ? args : withRange(call, args, building);
}

/** Whether a call holds neither references nor steps: most calls of a long file do not. */
function isLiteralCall(call: Call): boolean {
  const { adds, signature, texts, used } = call;
  const isPlain = signature.isPlain && signature.control === undefined && listsOf(call).size === 0;
  return isPlain && (texts ?? used ?? adds) === undefined;
}

/** Values as they are written, laid over those that are not given, in the order of the declaration. */
function literalArguments({ args, signature }: Call): Readonly<Record<string, Value>> {
  const filled: Record<string, Value> = { ...standardOf(signature, args) };
  for (const name in args) if (signature.parameters.has(name)) filled[name] = { lit: args[name] ?? null };
  return filled;
}

const NULL: Value = { lit: null };

/** The arguments that a call has at the least; those that are written without a default are null. Made once a kind. */
function standardOf({ bare, defaults, parameters, standards }: Signature, args: JsonObject): StandardArguments {
  const key = absentOf(bare, args);
  const known = standards.get(key);
  if (known !== undefined) return known;
  const names = [...parameters.keys()].filter((name) => !bare.includes(name) || Object.hasOwn(args, name));
  const made = Object.fromEntries(names.map((name) => [name, defaults.get(name) ?? NULL]));
  standards.set(key, made);
  return made;
}

/** The names that are not given, by a bit each: all calls ask for them. Of many names, written out. */
function absentOf(names: readonly string[], args: JsonObject): number | string {
  if (names.length > MOST_BITS) return names.filter((name) => !Object.hasOwn(args, name)).join(' ');
  let bits = 0;
  for (let index = 0; index < names.length; index += 1)
    if (!Object.hasOwn(args, names[index] ?? '')) bits |= 1 << index;
  return bits;
}

const MOST_BITS = 31;

/** The steps of a file that is used, below the step that uses it. */
function usedBlocks({ resolved }: UsedFile, outer: Building, local: string): Record<string, Value> {
  const { setup, body, teardown, file } = resolved;
  const building: Building = {
    source: outer.source,
    within: `${outer.within}${local}.use.`,
    tokens: outer.tokens,
    retry: file.meta.retry,
    maxWorkers: file.meta.max_workers ?? MAX_WORKERS,
    defined: late(() => definedNames([setup, body, teardown], outer.tokens, NO_PROFILES)),
    isPartial: outer.isPartial,
  };
  return {
    ...(setup.list.steps.length > 0 && { setup: { block: nodesOf(setup, 'setup', building) } }),
    body: { block: nodesOf(body, 'body', building) },
    ...(teardown.list.steps.length > 0 && { teardown: { block: nodesOf(teardown, 'teardown', building) } }),
  };
}

function usedFields({ resolved }: UsedFile, { tokens }: Building): Omit<UseNode, keyof CallNode> {
  const { meta, document } = resolved.file;
  const returns = meta.returns === undefined ? undefined : valueOf(meta.returns, {}, tokens);
  return {
    source: document.source,
    inputs: meta.inputs ?? [],
    order: orderOf(resolved),
    ...(meta.base_url !== undefined && { base_url: valueOf(meta.base_url, { type: 'string' }, tokens) }),
    ...(meta.timeout_s !== undefined && { body_timeout_s: meta.timeout_s }),
    ...(returns !== undefined && { returns }),
  };
}

/** Keys of a control form that are fields of its node. */
function isNoArgument(name: string, control: ControlForm | undefined): boolean {
  return (
    control !== undefined &&
    (name === control.condition || name === 'collect' || name === 'parallel' || control.names?.includes(name) === true)
  );
}

/** Variables of a loop are nobody else's to make. */
function insideOf(call: Call, building: Building): Building {
  const locals = localsOf(call);
  if (locals.length === 0) return building;
  return {
    ...building,
    defined: late(() => new Set([...building.defined()].filter((name) => !locals.includes(name)))),
  };
}

/** A range is written where the list would stand. */
function withRange(call: Call, args: Readonly<Record<string, Value>>, { tokens }: Building): Record<string, Value> {
  const range = rangeOf(call);
  if (range === undefined) return args;
  const { for_each: _, ...rest } = args;
  const bounds = Object.entries(range).map(([key, bound]) => [key, valueOf(bound, { type: 'number' }, tokens)]);
  return { ...Object.fromEntries(bounds), ...rest };
}

/** A module stands beside the file that names it; whoever runs the step sees the root alone. */
function placeText({ place, export: name }: AddedModule): string {
  return name === undefined ? place : `${place}#${name}`;
}

interface WrittenConditions {
  readonly when?: Condition;
  readonly expect?: readonly Condition[];
  /** Condition of a control form. */
  readonly own?: Condition;
}

const NO_CONDITIONS: WrittenConditions = {};

function conditionsOf({ step }: Call, building: Building): WrittenConditions {
  const { options = NO_OPTIONS, control } = step;
  const hasNone = options.when === undefined && options.expect === undefined && control === undefined;
  return hasNone ? NO_CONDITIONS : writtenConditions(step, building);
}

function writtenConditions(
  { options = NO_OPTIONS, control }: Call['step'],
  { tokens, isPartial }: Building,
): WrittenConditions {
  const condition = (source: string | undefined): Condition | undefined => {
    const tree = source === undefined ? undefined : tokens.condition(source).tree;
    if (source === undefined || (tree === undefined && isPartial)) return undefined;
    if (tree === undefined) throw new Error(`the condition ${JSON.stringify(source)} was not checked before planning`);
    return { source, tree };
  };
  const when = condition(options.when);
  const own = condition(control?.condition);
  const expect = options.expect?.map(condition).filter((each) => each !== undefined);
  return { ...(when && { when }), ...(own && { own }), ...(expect && { expect }) };
}

function capturesOf(written: NonNullable<StepOptions['save_as']>): readonly Capture[] {
  return written.flatMap((capture): readonly Capture[] => {
    if (capture === undefined) return [];
    const { path, ...rest } = capture;
    return [path === undefined ? rest : { ...rest, path: parsePath(path).path ?? [] }];
  });
}

/** `provides` and `uses`: what a later step waits for in vain when this one fails, and what this one would. */
function flowFields(
  call: Call,
  args: Readonly<Record<string, Value>>,
  conditions: WrittenConditions,
  building: Building,
): Pick<Node, 'provides' | 'uses'> {
  const flow = flowOf(call, building.tokens, NO_PROFILES);
  if (!isAlone(call)) return flowWithOthers(call, flow, { args, conditions }, building);
  return flow === undefined ? NOTHING : named(providedBy(flow), usedBy(flow));
}

function providedBy({ defines, opens }: Flow): string[] {
  const provides = defines.map((name) => `variable:${name}`);
  if (opens !== undefined) provides.push(`session:${opens}`);
  return provides;
}

function usedBy({ uses }: Flow): string[] {
  return uses === undefined ? [] : [`session:${uses}`];
}

interface ReadParts {
  readonly args: Readonly<Record<string, Value>>;
  readonly conditions: WrittenConditions;
}

/** The same for a step that reads what others may have made. */
function flowWithOthers(
  call: Call,
  flow: Flow | undefined,
  { args, conditions: { when, own, expect } }: ReadParts,
  building: Building,
): Pick<Node, 'provides' | 'uses'> {
  const provides = flow === undefined ? [] : providedBy(flow);
  const uses = flow === undefined ? [] : usedBy(flow);
  for (const session of call.used?.opens ?? []) provides.push(`session:${session}`);
  if (call.adds !== undefined) provides.push(`module:${call.adds.place}`);
  const nameOf = (ref: Ref): string | undefined => resultOf(ref) ?? variableOf(ref, building);
  const use = (ref: Ref): void => {
    const name = ref.default === undefined ? nameOf(ref) : undefined;
    if (name !== undefined) uses.push(name);
  };
  // Texts with references were noted: without them there are none.
  if (call.texts !== undefined || call.used !== undefined || call.step.control !== undefined)
    for (const value of Object.values(args)) eachReference(value, use);
  const isLate = call.step.control?.form.judgesAfter !== undefined;
  const judge = (condition: Condition | undefined, made: ReadonlySet<string | undefined> = NONE): void => {
    if (condition === undefined) return;
    // A condition that asks whether something is there is judged without it.
    const asked = new Set<string | undefined>();
    eachConditionReference(condition.tree, (ref, isAsked) => {
      if (isAsked) asked.add(nameOf(ref));
    });
    eachConditionReference(condition.tree, (ref, isAsked) => {
      if (!isAsked && !asked.has(nameOf(ref)) && !made.has(nameOf(ref))) use(ref);
    });
  };
  judge(when);
  judge(own, isLate ? madeInside(call, flow?.defines, building) : NONE);
  for (const each of expect ?? []) judge(each, madeInside(call, flow?.defines, building));
  for (const session of call.used?.resolved.file.meta.sessions ?? []) uses.push(`session:${session}`);
  if (call.signature.module?.byStep === true) uses.push(`module:${call.signature.module.place}`);
  return named(provides, uses);
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Variables that a step, or those inside it, have made when it is judged, and results that those have by then: its own
 * captures are taken after that.
 */
function madeInside(
  call: Call,
  defines: readonly string[] | undefined,
  { tokens }: Building,
): ReadonlySet<string | undefined> {
  const lists = [...listsOf(call).values()];
  if (lists.length === 0 && (defines === undefined || defines.length === 0)) return NONE;
  const captured = new Set(call.step.options?.save_as?.map((capture) => capture?.name));
  const made = new Set<string>();
  for (const name of definedNames(lists, tokens, NO_PROFILES)) made.add(`variable:${name}`);
  for (const name of defines ?? []) if (!captured.has(name)) made.add(`variable:${name}`);
  eachCall(lists, ({ step }) => {
    if (step.options?.id !== undefined) made.add(`result:${step.options.id}`);
  });
  return made;
}

function variableOf(ref: Ref, { defined }: Building): string | undefined {
  const name = providedName(ref, defined);
  return name === undefined ? undefined : `variable:${name}`;
}

/** `{{steps.ID.result}}`: a step that was skipped, or that failed without one, has none. */
function resultOf({ ns, name, path: [id, field] = [] }: Ref): string | undefined {
  return ns === 'var' && name === 'steps' && field === 'result' ? `result:${id}` : undefined;
}

function named(provides: readonly string[], uses: readonly string[]): Pick<Node, 'provides' | 'uses'> {
  if (uses.length === 0) return provides.length === 0 ? NOTHING : { provides: inOrder(provides) };
  return provides.length === 0 ? { uses: inOrder(uses) } : { provides: inOrder(provides), uses: inOrder(uses) };
}

/** Each name once, sorted. Most lists have one. */
function inOrder(names: readonly string[]): readonly string[] {
  return names.length < 2 ? names : [...new Set(names)].sort();
}

const NOTHING: Pick<Node, 'provides' | 'uses'> = {};

/** Whether a call reads nothing that a step before may have made, and holds no other steps. Most do not. */
function isAlone({ adds, signature, step: { control, options }, texts, used }: Call): boolean {
  const isPlain = texts === undefined && used === undefined && adds === undefined && control === undefined;
  return isPlain && signature.module === undefined && options?.when === undefined && options?.expect === undefined;
}

/** The variable that a reference reads: the longest name that some step defines (`compiler/language/references.md`). */
function providedName(ref: Ref, defined: Building['defined']): string | undefined {
  if (ref.ns !== 'var') return undefined;
  return storedNames(ref).find((name) => defined().has(name));
}

/**
 * Whether `expect`, or a parameter that is declared to (`judges`), speaks of the status (`compiler/language/steps.md`).
 */
function judgesStatus({ args, signature }: Call, expect: readonly Condition[] | undefined): boolean {
  const { judging } = signature;
  // By index: every step is asked.
  for (let index = 0; index < judging.length; index += 1) {
    const { name = '', judges } = judging[index] ?? {};
    const checks = args[name];
    if (judges !== undefined && isObject(checks) && Object.hasOwn(checks, judges)) return true;
  }
  return expect !== undefined && speakOfStatus(expect);
}

function speakOfStatus(expect: readonly Condition[]): boolean {
  let found = false;
  const isStatus = (path: Route | undefined): boolean => path?.[0] === 'status_code';
  for (const { tree } of expect) {
    eachConditionReference(tree, (ref) => {
      if (ref.ns === 'var' && (ref.name === 'result' || ref.name === 'last_response') && isStatus(ref.path))
        found = true;
    });
  }
  return found;
}
