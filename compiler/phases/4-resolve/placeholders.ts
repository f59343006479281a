import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Route } from '#schemas/types/place.ts';

import type { Step } from '../3-parse/ast.ts';

import { reportAlmostRange } from './almost-range.ts';
import { checkCaptures } from './steps/captures.ts';
import { reportBranches, reportConflicts, reportSharedSession } from './conflicts.ts';
import { definedNames } from './definitions.ts';
import { flowOf } from './flow.ts';
import { FlowFacts, type Marks, type View } from './flow-facts.ts';
import { GraphEffects, inOrder } from './flows.ts';
import type { ListFacts, Knowledge } from './knowledge.ts';
import type { Spot } from './references.ts';
import { keyOf, localsOf, type Call, type CallList, type WrittenText } from './resolved.ts';
import { checkAlone } from './sessions.ts';
import { StepEffects } from './steps/effects.ts';
import { StepTexts } from './steps/texts.ts';
import { tell } from './steps/told.ts';
import { cellOf, loopVariables } from './typed-by.ts';
import { UNTYPED } from './variable.ts';
import { listsOf } from './walk-calls.ts';
import { behind } from './ways/behind.ts';
import { guardedBy, otherwise } from './ways/guards.ts';
import { gapOf, mayStayOut } from './ways/passed-over.ts';
import { eventKinds, roundsOf, rowsOf } from './ways/rounds.ts';

/**
 * Follows the steps of a file in the order in which they run, and reports references to what cannot be there when they
 * are reached: variables, steps, keys, columns, sessions.
 */
export class Placeholders {
  readonly #knowledge: Knowledge;
  readonly #texts: StepTexts;
  readonly #effects: StepEffects;
  /** View of steps that run later or often: everything that the file defines. */
  readonly #everything: View;

  constructor(knowledge: Knowledge, everything: View) {
    this.#knowledge = knowledge;
    this.#texts = new StepTexts(knowledge);
    this.#effects = new StepEffects(knowledge);
    this.#everything = everything;
  }

  /** One text with references that is no part of a step. */
  text(text: string, route: () => Route, spot: Spot): void {
    this.#texts.text(text, route, spot);
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
          tell(unread.shift() ?? step, undefined, known, 'before', this.#knowledge);
        this.#call(call, known, behind(call, ofList, this.#knowledge));
      }
      for (const step of unread) tell(step, undefined, known, 'before', this.#knowledge);
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
    for (const step of this.#unread(list)) tell(step, undefined, outer, 'before', this.#knowledge);
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
    tell(call.step, call, known, 'before', this.#knowledge);
    this.#follow(call, known, ofList);
    tell(call.step, call, known, 'after', this.#knowledge);
  }

  #follow(call: Call, known: FlowFacts, ofList: ListFacts): void {
    const { step, signature, blocks, texts, used } = call;
    if (step.options !== undefined || blocks !== undefined || texts !== undefined || used !== undefined)
      this.#followWhole(call, known, ofList);
    else if (signature.hasFlow || signature.templates !== undefined) this.#effects.flow(call, known, ofList);
  }

  /** Follows a step that has more than plain arguments. */
  #followWhole(call: Call, known: FlowFacts, outer: ListFacts): void {
    const { step, blocks } = call;
    const { options } = step;
    const ofList = options?.when === undefined ? outer : guardedBy(outer, options.when, this.#knowledge.tokens);
    const spot: Spot = { view: known, ofList, resultOf: undefined, isAsked: false };
    if (options?.when !== undefined) this.#texts.guard(call, options.when, spot);
    if (step.control?.form.judgesAfter === undefined) this.#texts.ownCondition(call, spot);
    if (call.texts !== undefined) this.#texts.arguments(call, headerTexts(call, call.texts), spot);
    if (blocks !== undefined) this.#blocks(call, known, ofList);
    if (step.control?.form.judgesAfter !== undefined) this.#texts.ownCondition(call, { ...spot, isWaiting: true });
    if (options?.save_as !== undefined) checkCaptures(call, this.#knowledge);
    if (options?.expect !== undefined) this.#texts.expect(call, options.expect, { ...spot, resultOf: call });
    if (call.used !== undefined) this.#effects.used(call, call.used, known, ofList);
    this.#effects.flow(call, known, ofList);
  }

  /** The steps that a call holds; where it may be skipped by its `when`, what they do is possible alone. */
  #blocks(call: Call, outer: FlowFacts, ofList: ListFacts): void {
    if (call.step.options?.when === undefined) return this.#held(call, outer, ofList);
    const known = new FlowFacts(outer);
    this.#held(call, known, ofList);
    outer.absorb(known, [], { kind: 'when', call });
  }

  #held(call: Call, known: FlowFacts, ofList: ListFacts): void {
    const holds =
      call.signature.info.handles?.holds === undefined
        ? undefined
        : flowOf(call, this.#knowledge.tokens, this.#knowledge.profiles)?.holds;
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
    // Its item is a number or a member: what it is said to be twice would be one mistake told twice.
    const isAlmostRange = reportAlmostRange(call, this.#knowledge.document, this.#knowledge.report);
    for (const [name, variable] of loopVariables(call, known, this.#knowledge))
      locals.define(name, isAlmostRange ? UNTYPED : variable);
    const inside = new FlowFacts(locals);
    if (!call.step.control?.branches) {
      // The next iteration sees the variables that one has written.
      const names = this.#namesIn([...listsOf(call).values()]);
      inside.forget([...names].filter((name) => !localsOf(call).includes(name)));
    }
    for (const list of listsOf(call).values()) this.list(list, inside, ofList);
    if (!call.step.control?.branches && inside.hasMoved(new Map())) this.#again(call, inside, ofList);
    const collected = call.texts?.filter(({ parameter }) => parameter === 'collect') ?? [];
    this.#texts.arguments(call, collected, { view: inside, ofList, resultOf: undefined, isAsked: false });
    const { collect } = call.args;
    if (collect !== undefined) this.#knowledge.collected.set(call, cellOf(collect, inside, this.#effects.in(ofList)));
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

/** Texts that are filled before the first iteration: `collect` is filled at the end of each. */
function headerTexts({ step }: Call, texts: readonly WrittenText[]): readonly WrittenText[] {
  return step.control?.as === undefined ? texts : texts.filter(({ parameter }) => parameter !== 'collect');
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
