import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import { MAKERS, OPENERS } from '#schemas/generated/openers.ts';
import { isList, isObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';
import { rangeLength } from '#schemas/types/range.ts';
import { RESERVED } from '#schemas/types/reserved-names.ts';
import type { ReferenceProblem } from '#grammar/reference/ast.ts';
import type { Range } from '#grammar/language/problem.ts';
import { rangesOf, type ParsedText } from '#grammar/reference/parse.ts';
import { printPath } from '#grammar/reference/print.ts';
import { parsePath } from '#grammar/value-path/parse.ts';
import { referenceDiagnostic } from '#grammar/reference/report.ts';

import type { Step, StepOptions } from '../3-parse/ast.ts';
import { optionRoute, valueAt } from '../3-parse/routes.ts';

import { reportAlmostRange } from './almost-range.ts';
import { extractedPath } from './calls.ts';
import { checkCaptures } from './captures.ts';
import { memberMeant, renamedMember } from './meant/member-meant.ts';
import { undeclared, whatIsThere } from './result-fields.ts';
import { checkCondition } from './conditions.ts';
import { definedNames } from './definitions.ts';
import { flowOf, literalText } from './flow.ts';
import { GraphEffects, inOrder } from './flows.ts';
import { reportBranches, reportConflicts, reportSharedSession } from './conflicts.ts';
import type { ListFacts, Knowledge } from './knowledge.ts';
import { checkReference, type Spot } from './references.ts';
import {
  argumentRoute,
  conditionRoute,
  keyOf,
  localsOf,
  rangeOf,
  type Call,
  type CallList,
  type UsedFile,
  type WrittenText,
} from './resolved.ts';
import { FlowFacts, type Marks, type SessionState, type View } from './flow-facts.ts';
import { cellOf, extractedFrom, loopVariables, resultOf, typedBy, typeOfReference } from './typed-by.ts';
import { ANY, asSchema, declarerOf, noMember, type KnownValue } from './value-type.ts';
import { checkAlone, checkEnd, checkHandle, checkSession } from './sessions.ts';
import type { Flow } from './signature.ts';
import { UNTYPED, type Variable } from './variable.ts';
import { listsOf } from './walk-calls.ts';
import { askedBy, guardedBy, otherwise } from './ways/guards.ts';
import { gapOf, mayStayOut } from './ways/passed-over.ts';

/**
 * Follows the steps of a file in the order in which they run, and reports references to what cannot be there when they
 * are reached: variables, steps, keys, columns, sessions.
 */
export class Placeholders {
  readonly #knowledge: Knowledge;
  readonly #withoutRows: Knowledge;
  readonly #said = new Set<string>();
  /** View of steps that run later or often: everything that the file defines. */
  readonly #everything: View;

  constructor(knowledge: Knowledge, everything: View) {
    this.#knowledge = knowledge;
    this.#withoutRows = { ...knowledge, rows: undefined };
    this.#everything = everything;
  }

  /** Knowledge at hand where the steps run for rows of their own. */
  #in({ ownRows }: ListFacts): Knowledge {
    return ownRows === undefined ? this.#knowledge : this.#withoutRows;
  }

  /** `call`: undefined for a step of which nothing could be made. */
  #tell(step: Step, call: Call | undefined, known: FlowFacts, moment: 'before' | 'after'): void {
    const { follow, document } = this.#knowledge;
    follow?.({
      document,
      step,
      moment,
      scope: () =>
        [...new Set(known.variables())].toSorted().flatMap((name) => {
          const variable = known.variable(name);
          if (variable === undefined) return [];
          return [{ name, type: asSchema(variable.cell.get()), ...(variable.gap && { maybe: true as const }) }];
        }),
      open: () =>
        [...Object.keys(OPENERS), ...Object.keys(MAKERS)].filter((name) => OPEN.has(known.session(name).state)),
      result: () => (call === undefined ? {} : asSchema(resultOf(call, known, this.#knowledge).get())),
      defines: () => {
        const names = call && flowOf(call, this.#knowledge.tokens, this.#knowledge.profiles)?.defines;
        return Object.fromEntries(
          (names ?? []).map((name) => [name, asSchema(known.variable(name)?.cell.get() ?? ANY)] as const),
        );
      },
    });
  }

  list(list: CallList, known: FlowFacts, ofList: ListFacts): void {
    if (list.list.kind === 'graph' || ofList.isParallel) this.#graph(list, known, { ...ofList, isParallel: false });
    else {
      const unread = this.#unread(list);
      const { calls } = list;
      // By index: a loop over a long list runs for the most part before it is optimised.
      for (let index = 0; index < calls.length; index += 1) {
        const call = calls[index];
        if (call === undefined) continue;
        for (let step = unread[0]; step !== undefined && step.index < call.step.index; step = unread[0])
          this.#tell(unread.shift() ?? step, undefined, known, 'before');
        this.#call(call, known, behind(call, ofList, this.#knowledge));
      }
      for (const step of unread) this.#tell(step, undefined, known, 'before');
    }
    if (list.incomplete) known.open();
  }

  /** Steps of which an error left nothing to follow; none where nobody hears of steps. */
  #unread({ calls, incomplete, list: { steps } }: CallList): Step[] {
    if (!incomplete || this.#knowledge.follow === undefined) return [];
    const read = new Set(calls.map(({ step }) => step));
    return steps.filter((step) => !read.has(step));
  }

  /** Each node sees what it depends on; what follows the graph sees all of it. */
  #graph(list: CallList, outer: FlowFacts, ofList: ListFacts): void {
    const dag = this.#knowledge.dags.get(list);
    // Without an order a cycle was reported: what is before what is not known.
    if (dag === undefined) return outer.open();
    const graph = new GraphEffects(list, dag, this.#knowledge);
    reportConflicts(list, dag, graph, this.#knowledge);
    for (const step of this.#unread(list)) this.#tell(step, undefined, outer, 'before');
    const ended: FlowFacts[] = [];
    const { fail_fast: failFast, on_failure: onFailure } = this.#knowledge.meta;
    const isStrict = ofList.isSure && (failFast !== false || onFailure === 'stop');
    for (const call of inOrder(list, dag)) {
      const known = new FlowFacts(graph.viewOf(keyOf(call), outer));
      const waits = { waitsFor: (other: Call) => dag.isBefore(keyOf(other), keyOf(call)) };
      this.#call(call, known, isStrict ? { ...ofList, ...waits } : ofList);
      graph.followed(keyOf(call), known);
      ended.push(known);
    }
    for (const known of ended) outer.passNode(known);
    for (const [name, facts] of graph.sessionsAtEnd()) outer.settle(name, facts);
    for (const name of graph.definers.keys()) outer.define(name, graph.leaves(name));
  }

  #call(call: Call, known: FlowFacts, ofList: ListFacts): void {
    if (this.#knowledge.follow === undefined) return this.#follow(call, known, ofList);
    this.#tell(call.step, call, known, 'before');
    this.#follow(call, known, ofList);
    this.#tell(call.step, call, known, 'after');
  }

  #follow(call: Call, known: FlowFacts, ofList: ListFacts): void {
    const { step, signature, blocks, texts, used } = call;
    if (step.options !== undefined || blocks !== undefined || texts !== undefined || used !== undefined)
      this.#followWhole(call, known, ofList);
    else if (signature.hasFlow) this.#flow(call, known, ofList);
  }

  /** Follows a step that has more than plain arguments. */
  #followWhole(call: Call, known: FlowFacts, outer: ListFacts): void {
    const { step, blocks } = call;
    const { options } = step;
    const ofList = options?.when === undefined ? outer : guardedBy(outer, options.when, this.#knowledge.tokens);
    const spot: Spot = { view: known, ofList, resultOf: undefined, isAsked: false };
    if (options?.when !== undefined) this.#guard(call, options.when, spot);
    if (step.control?.form.judgesAfter === undefined) this.#ownCondition(call, spot);
    if (call.texts !== undefined) this.#arguments(call, headerTexts(call, call.texts), spot);
    if (blocks !== undefined) this.#blocks(call, known, ofList);
    if (step.control?.form.judgesAfter !== undefined) this.#ownCondition(call, { ...spot, isWaiting: true });
    if (options?.save_as !== undefined) checkCaptures(call, this.#knowledge);
    if (options?.expect !== undefined) this.#expect(call, options.expect, { ...spot, resultOf: call });
    if (call.used !== undefined) this.#used(call, call.used, known, ofList);
    this.#flow(call, known, ofList);
  }

  /** Looks at the condition under which a step runs. */
  #guard(call: Call, when: string, spot: Spot): void {
    this.#condition(call, when, () => this.#optionRoute(call, 'when'), spot);
  }

  /** Sessions are those of the caller; what the file writes is its own. */
  #used(call: Call, used: UsedFile, known: FlowFacts, ofList: ListFacts): void {
    for (const session of used.resolved.file.meta.sessions ?? [])
      checkSession(call, session, known, ofList, this.#knowledge);
    for (const name of used.needs) checkHandle(call, name, known, ofList, this.#knowledge);
    const { closes, ends, makes, opens } = used;
    for (const name of [...opens, ...makes])
      if (!closes.has(name) && !ends.has(name)) checkAlone(call, name, known, ofList, this.#knowledge);
    known.passUsed(call, used, ofList.isSure);
  }

  /** Looks at the condition of a control form. */
  #ownCondition(call: Call, spot: Spot): void {
    const own = call.step.control?.condition;
    if (own !== undefined) this.#condition(call, own, () => conditionRoute(call), spot);
  }

  /** Checks the sessions that the call needs, and notes its effects in what is known. */
  #flow(call: Call, known: FlowFacts, ofList: ListFacts): void {
    const flow = this.#flowOf(call);
    if (call.signature.flow === undefined && flow !== undefined) this.#notReserved(call, flow);
    if (flow?.uses !== undefined) checkSession(call, flow.uses, known, ofList, this.#knowledge);
    if (flow?.needs !== undefined) checkHandle(call, flow.needs, known, ofList, this.#knowledge);
    else if (flow?.ends !== undefined) checkEnd(call, flow.ends, known, this.#knowledge);
    const made = flow?.opens ?? flow?.makes;
    if (made !== undefined) checkAlone(call, made, known, ofList, this.#knowledge);
    if (call.signature.info.variables?.extracts !== undefined) this.#extracts(call, known, ofList);
    const defines = flow !== undefined && flow.defines.length > 0;
    known.pass(call, flow, ofList.isSure, defines ? this.#typing(call, known, ofList) : undefined);
  }

  /** Types of the variables that a call defines. */
  #typing(call: Call, known: FlowFacts, ofList: ListFacts): (name: string) => Variable {
    return (name) => typedBy(call, name, known, this.#in(ofList));
  }

  #flowOf(call: Call): Flow | undefined {
    return flowOf(call, this.#knowledge.tokens, this.#knowledge.profiles);
  }

  #arguments(call: Call, texts: readonly WrittenText[], spot: Spot): void {
    const { document, tokens } = this.#knowledge;
    for (const written of texts) {
      const parsed = written.parsed ?? tokens.text(written.text);
      if (parsed === undefined) continue;
      this.#typeOf(call, written.text, parsed, spot);
      this.#parsed(written.text, parsed, () => argumentRoute(call, written.parameter, document, written.inside), spot);
    }
  }

  /** Notes what a text that is one reference stands for, where that is known. */
  #typeOf(call: Call, text: string, { parts }: ParsedText, spot: Spot): void {
    const [only, second] = parts;
    if (only === undefined || typeof only === 'string' || second !== undefined || !TYPED.has(only.ns)) return;
    if (only.convert !== undefined) return;
    const known = typeOfReference(only, spot, this.#knowledge, true);
    if (known === undefined) return;
    const { types } = this.#knowledge;
    const own = types.get(call) ?? new Map<string, KnownValue>();
    types.set(call, own.set(text, known));
  }

  /** One text with references. */
  text(text: string, route: () => Route, spot: Spot): void {
    const parsed = this.#knowledge.tokens.text(text);
    if (parsed !== undefined) this.#parsed(text, parsed, route, spot);
  }

  #parsed(text: string, parsed: ParsedText, route: () => Route, spot: Spot): void {
    const { document, report } = this.#knowledge;
    let ranges: readonly Range[] | undefined;
    for (const problem of parsed.problems)
      report(referenceDiagnostic(asVariable(problem, spot), { source: document.source, route: route() }));
    for (let index = 0; index < parsed.parts.length; index += 1) {
      const part = parsed.parts[index];
      if (part === undefined || typeof part === 'string') continue;
      const at = (): Label => ({
        source: document.source,
        route: route(),
        part: (ranges ??= rangesOf(text))[index] ?? 'value',
      });
      checkReference(part, at, spot, this.#knowledge, this.#said);
    }
  }

  #expect(call: Call, conditions: NonNullable<StepOptions['expect']>, spot: Spot): void {
    const route = (index: number): Route => {
      const at = this.#optionRoute(call, 'expect');
      return conditions.length > 1 || this.#isListed(call, 'expect') ? [...at, index] : at;
    };
    for (const [index, condition] of conditions.entries()) {
      if (condition !== undefined) this.#condition(call, condition, () => route(index), spot);
    }
  }

  #isListed(call: Call, option: string): boolean {
    return isList(valueAt(this.#knowledge.document.value, this.#optionRoute(call, option)));
  }

  #condition(call: Call, source: string, route: () => Route, spot: Spot): void {
    const parsed = this.#knowledge.tokens.condition(source);
    const guarded = { ...spot, ofList: askedBy(spot.ofList, source, parsed, spot.isWaiting === true) };
    const truth = checkCondition(
      source,
      route,
      this.#knowledge,
      (ref, at, isAsked) =>
        checkReference(ref, at, isAsked ? { ...guarded, isAsked } : guarded, this.#knowledge, this.#said),
      (ref) => typeOfReference(ref, spot, this.#knowledge, false),
    );
    if (truth === undefined) return;
    const { decided } = this.#knowledge;
    decided.set(call, (decided.get(call) ?? new Set<string>()).add(source));
  }

  #optionRoute(call: Call, option: string): Route {
    return optionRoute(call.step, this.#knowledge.document, option);
  }

  /** The path of a call that takes something out of a value leads to what can be there. */
  #extracts(call: Call, known: FlowFacts, ofList: ListFacts): void {
    const { of, path: parameter } = call.signature.info.variables?.extracts ?? { of: '', path: '' };
    const written = extractedPath(call.signature, call.args);
    const path = written === undefined ? undefined : parsePath(written).path;
    if (path === undefined || known.isOpen()) return;
    const missing = noMember(extractedFrom(call, of, known, this.#in(ofList)).get(), path);
    if (missing === undefined) return;
    const { document, report } = this.#knowledge;
    const owner = (call.args[of] ?? null) === null ? 'last_response' : of;
    const at: Label = { source: document.source, route: argumentRoute(call, parameter, document), part: 'value' };
    const declarer = declarerOf(missing.type);
    if (declarer !== undefined) return report(undeclared(missing, String(path[missing.index]), at, declarer));
    const lost = { ...missing, path };
    const nearest = memberMeant(lost);
    report(
      d.noMember({
        at,
        path: printPath([owner, ...path.slice(0, missing.index)]),
        member: String(path[missing.index]),
        what: whatIsThere(missing),
        nearest,
        fixes: renamedMember(lost, nearest, at, document.value),
      }),
    );
  }

  /** A parameter that names a variable cannot name one of the language. */
  #notReserved(call: Call, { defines }: Flow): void {
    const name = defines.find(isReserved);
    if (name !== undefined) this.#reserved(call, name);
  }

  #reserved(call: Call, name: string): void {
    const { document, report, tokens } = this.#knowledge;
    const parameter = Object.keys(call.args).find((each) => literalText(call.args[each] ?? null, tokens) === name);
    if (parameter !== undefined)
      report(
        d.reservedName({
          at: { source: document.source, route: argumentRoute(call, parameter, document), part: 'value' },
          name,
        }),
      );
  }

  /** The steps that a call holds; where it may be skipped by its `when`, what they do is possible alone. */
  #blocks(call: Call, outer: FlowFacts, ofList: ListFacts): void {
    if (call.step.options?.when === undefined) return this.#held(call, outer, ofList);
    const known = new FlowFacts(outer);
    this.#held(call, known, ofList);
    outer.absorb(known, [], { kind: 'when', call });
  }

  #held(call: Call, known: FlowFacts, ofList: ListFacts): void {
    const holds = call.signature.info.handles?.holds === undefined ? undefined : this.#flowOf(call)?.holds;
    if (holds === undefined) return this.#inside(call, known, ofList);
    checkAlone(call, holds, known, ofList, this.#knowledge);
    const letGo = known.hold(holds, call);
    this.#inside(call, known, ofList);
    letGo();
  }

  #inside(call: Call, known: FlowFacts, ofList: ListFacts): void {
    const { signature } = call;
    const own = call.step.control?.condition;
    const inside = own === undefined ? ofList : guardedBy(ofList, own, this.#knowledge.tokens);
    if (signature.control?.oneOf !== undefined) return this.#branches(call, known, inside);
    if (signature.control?.word === 'parallel') {
      reportBranches(call, this.#knowledge);
      return this.#branches(call, known, ofList);
    }
    if (call.step.control?.as !== undefined) return this.#loop(call, known, ofList);
    const ways: FlowFacts[] = [];
    for (const parameter of signature.blocks) {
      const list = listsOf(call).get(parameter.name);
      if (list === undefined) continue;
      const inner = {
        ...ofList,
        ownRows: rowsOf(call) ?? ofList.ownRows,
        isSure: ofList.isSure && rowsOf(call) === undefined,
        isParallel: parameter.parallel === true,
      };
      if (parameter.list === 'background') this.#background(call, list, known, inner);
      else if (!mayStayOut(call, parameter)) this.#block(call, list, known, inner);
      else {
        const way = new FlowFacts(known);
        this.#block(call, list, way, inner);
        ways.push(way);
      }
    }
    if (ways.length > 0) known.absorbAll(ways, call, gapOf(call, ways.length));
  }

  /** Steps that run later or often: whether they have run when a later step is reached nobody knows. */
  #background(call: Call, list: CallList, known: FlowFacts, ofList: ListFacts): void {
    this.list(list, new FlowFacts(this.#everything), { ...ofList, hasEvent: true, eventKinds: eventKinds(call) });
    for (const name of this.#namesIn([list]))
      known.define(name, known.hasVariable(name) ? UNTYPED : { ...UNTYPED, gap: { kind: 'list', call } });
  }

  /**
   * A block that sees and changes what its holder knows. Where it may run again, or end early, what it defines may be
   * of an earlier time.
   */
  #block(call: Call, list: CallList, known: FlowFacts, ofList: ListFacts): void {
    const { signature, step } = call;
    const isOnce = signature.control?.word === 'group' && step.options?.retry === undefined;
    const isAlways = isOnce && list === listsOf(call).get('always');
    if (isOnce && !isAlways) return this.list(list, known, ofList);
    const again = isAlways ? [...listsOf(call).values()] : [list];
    const names = this.#namesIn(again);
    known.forget(names);
    const before = known.marks();
    this.list(list, known, ofList);
    if (signature.control?.word === 'until' && known.hasMoved(before)) this.#again(call, known, ofList);
    if (signature.control === undefined) known.forget(names);
  }

  #namesIn(lists: readonly CallList[]): ReadonlySet<string> {
    return definedNames(lists, this.#knowledge.tokens, this.#knowledge.profiles);
  }

  /**
   * The item and its index are seen in the block alone; branches leave nothing behind but what became of their steps.
   */
  #loop(call: Call, known: FlowFacts, ofList: ListFacts): void {
    const locals = new FlowFacts(known);
    for (const [name, variable] of loopVariables(call, known, this.#knowledge)) locals.define(name, variable);
    const inside = new FlowFacts(locals);
    if (!call.step.control?.branches) {
      // The next iteration sees the variables that one has written.
      const names = this.#namesIn([...listsOf(call).values()]);
      inside.forget([...names].filter((name) => !localsOf(call).includes(name)));
    }
    reportAlmostRange(call, this.#knowledge.document, this.#knowledge.report);
    for (const list of listsOf(call).values()) this.list(list, inside, ofList);
    if (!call.step.control?.branches && inside.hasMoved(new Map())) this.#again(call, inside, ofList);
    const collected = call.texts?.filter(({ parameter }) => parameter === 'collect') ?? [];
    this.#arguments(call, collected, { view: inside, ofList, resultOf: undefined, isAsked: false });
    const { collect } = call.args;
    if (collect !== undefined) this.#knowledge.collected.set(call, cellOf(collect, inside, this.#in(ofList)));
    if (call.step.control?.branches) reportSharedSession(call, this.#knowledge);
    const gap = roundsOf(call) > 0 ? undefined : ({ kind: 'loop', call } as const);
    known.absorb(inside, call.step.control?.branches ? 'steps' : localsOf(call), gap);
  }

  /**
   * Follows the steps of a loop for a second round, which begins with the sessions that the first one leaves. It tells
   * of those alone.
   */
  #again(call: Call, after: FlowFacts, ofList: ListFacts): void {
    if (ofList.round !== undefined) return;
    const round = { kind: 'again', call } as const;
    const again = this.#onceMore();
    for (const list of listsOf(call).values())
      again.list(list, new FlowFacts(after), roundsOf(call) > 1 ? ofList : { ...ofList, round });
  }

  /**
   * Follows the steps of the body for a further row, which finds no session that stood before the first one and that a
   * row closes. It tells of those alone.
   */
  nextRow(body: CallList, before: Marks, after: FlowFacts, ofList: ListFacts): void {
    const [call] = body.calls;
    const isLost = (name: string): boolean => after.session(name).state === 'closed' && !after.isOpen();
    const lost = [...before].filter(([name, { state }]) => state === 'open' && isLost(name));
    if (call === undefined || lost.length === 0) return;
    const further = new FlowFacts(after);
    const names = lost.map(([name]) => name);
    for (const name of after.marks().keys()) if (!names.includes(name)) further.assumeSession(name);
    this.#onceMore().list(body, further, { ...ofList, round: { kind: 'row', call } });
  }

  /** Looks at steps once more, and tells of their sessions alone. */
  #onceMore(): Placeholders {
    const { report } = this.#knowledge;
    const knowledge = {
      ...this.#knowledge,
      types: new Map(),
      decided: new Map(),
      collected: new Map(),
      follow: undefined,
      report: (diagnostic: Diagnostic): void => {
        if (OF_SESSIONS.has(diagnostic.slug)) report(diagnostic);
      },
    };
    return new Placeholders(knowledge, this.#everything);
  }

  /**
   * Blocks of which one runs, or that run at once: none sees what another does, and what follows may see what any of
   * them did.
   */
  #branches(call: Call, known: FlowFacts, ofList: ListFacts): void {
    const branches = [...listsOf(call).values()].map((list) => {
      const branch = new FlowFacts(known);
      const isElse = list === listsOf(call).get('else');
      this.list(list, branch, isElse ? otherwise(ofList, this.#knowledge.tokens) : ofList);
      return branch;
    });
    const isAlone = call.signature.control?.oneOf !== undefined && branches.length < 2;
    if (call.signature.control?.word === 'parallel') for (const branch of branches) known.absorb(branch);
    else known.absorbAll(branches, call, isAlone ? { kind: 'branch', call } : undefined);
  }
}

/** `${name}` is meant for a variable where there is one of that name. */
function asVariable(problem: ReferenceProblem, { view }: Spot): ReferenceProblem {
  const { found = '', nearest, whole } = problem;
  const isOne = whole !== undefined && nearest === undefined && view.hasVariable(found);
  return isOne ? { ...problem, nearest: `{{${whole.inside}}}` } : problem;
}

/** States in which a session may be open. */
const OPEN: ReadonlySet<SessionState> = new Set(['open', 'doubtful', 'maybe']);

/** References that values may be known of. */
const TYPED: ReadonlySet<string> = new Set(['var', 'ROW', 'MATRIX', 'ENV']);

/** Texts that are filled before the first iteration: `collect` is filled at the end of each. */
function headerTexts({ step }: Call, texts: readonly WrittenText[]): readonly WrittenText[] {
  return step.control?.as === undefined ? texts : texts.filter(({ parameter }) => parameter !== 'collect');
}

/**
 * The kinds of events that a step with a parameter `events` runs its steps for; without a word those that leave the
 * name as it is.
 */
function eventKinds(call: Call): ListFacts['eventKinds'] {
  if (!call.signature.parameters.has('events')) return undefined;
  const given = call.args['events'] ?? ['created', 'modified'];
  const kinds = Array.isArray(given) ? given : [given];
  return kinds.every((kind): kind is string => typeof kind === 'string' && /^[a-z]+$/.test(kind)) ? kinds : undefined;
}

/** A step with a parameter `rows` runs its steps once for each of them. */
function rowsOf(call: Call): ListFacts['ownRows'] {
  if (!call.signature.parameters.has('rows')) return undefined;
  const rows = call.args['rows'];
  return {
    columns: isList(rows) && rows.every(isObject) ? new Set(rows.flatMap((row) => Object.keys(row))) : undefined,
  };
}

/** Least number of rounds of a loop: that of the items which are written. */
function roundsOf(call: Call): number {
  const over = call.args['for_each'] ?? null;
  const range = rangeOf(call);
  if (range === undefined) return isList(over) ? over.length : isObject(over) ? Object.keys(over).length : 0;
  const { from, to, step } = range;
  if (typeof from !== 'number' || typeof to !== 'number') return 1;
  return step === undefined || typeof step === 'number' ? rangeLength(from, to, step) : 1;
}

/** Findings that only the sessions decide. */
const OF_SESSIONS: ReadonlySet<string> = new Set([
  'maybe-opened-twice',
  'nothing-to-act-on',
  'opened-twice',
  'session-closed',
  'session-doubtful',
  'session-never-opened',
  'wrong-engine',
]);

/** Facts for a step of a list, and for the steps inside it: it runs only where those that it depends on have passed. */
function behind({ step }: Call, ofList: ListFacts, { ids }: Knowledge): ListFacts {
  const names = step.options?.depends_on;
  return names === undefined ? ofList : waitingFor(names, ofList, ids);
}

// Apart from `behind`: what a closure needs is made anew at each call of the function that holds it.
function waitingFor(names: readonly string[], ofList: ListFacts, ids: Knowledge['ids']): ListFacts {
  return { ...ofList, waitsFor: (other) => ofList.waitsFor?.(other) === true || isAmong(names, other, ids) };
}

/** Whether a step is one of those ids, or one that they depend on. */
function isAmong(names: readonly string[], other: Call, ids: Knowledge['ids']): boolean {
  const seen = new Set(names);
  for (const name of seen) {
    const call = ids.get(name);
    if (call === other) return true;
    for (const before of call?.step.options?.depends_on ?? []) seen.add(before);
  }
  return false;
}

function isReserved(name: string): boolean {
  return RESERVED.includes(name);
}
