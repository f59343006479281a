import { MAKERS } from '#schemas/generated/openers.ts';

import type { Call, UsedFile } from './resolved.ts';
import type { Flow } from './signature.ts';
import { eitherOf, UNTYPED, type Gap, type Variable } from './variable.ts';

/** Facts that are known when a step is reached. */
export interface View {
  /** Whether some earlier step, an input or the command line may have defined a variable of that name. */
  readonly hasVariable: (name: string) => boolean;
  /** Facts about a variable that is there. */
  readonly variable: (name: string) => Variable | undefined;
  readonly variables: () => Iterable<string>;
  /** Highest number of variables that are there. */
  readonly variableCount: () => number;
  /** A step before may have defined names, or opened sessions, that only a run knows. */
  readonly isOpen: () => boolean;
  readonly session: (name: string) => SessionFacts;
  /** Names of sessions, and of other things, that something is known of. */
  readonly sessions: () => Iterable<string>;
  /** Whether the step of that id has ended before. */
  readonly hasStep: (id: string) => boolean;
  /** The way on which it has not even been looked at. */
  readonly stepGap: (id: string) => Gap | undefined;
  /** A step before may have added environment keys. */
  readonly hasMoreEnvironment: () => boolean;
}

/**
 * `never`: nothing before opens it; `closed`: it was opened and closed again; `doubtful`: not every way to here has it
 * open; `maybe`: only a run knows.
 */
export type SessionState = SessionFacts['state'];

/**
 * Facts about a session, or about another thing that steps make and end: how often it was opened, by which step last,
 * and why it is doubtful.
 */
export type SessionFacts =
  | { readonly state: 'open' | 'closed' | 'never'; readonly opened: number; readonly by?: Call | undefined }
  | {
      readonly state: 'maybe';
      readonly opened: number;
      readonly by?: Call | undefined;
      /** One of those that may be open was closed for certain. */
      readonly isClosedOnce?: true;
    }
  | { readonly state: 'doubtful'; readonly opened: number; readonly by?: Call | undefined; readonly gap: Gap };

/** Whether a name is that of something beside sessions: a kind, or a kind with a name in quotes. */
function isHandle(name: string): boolean {
  return Object.hasOwn(MAKERS, kindOf(name));
}

/** Kind of a thing beside sessions, as declarations name it. */
export function kindOf(name: string): string {
  return name.replace(/ ".*$/s, '');
}

/** A name for all things of a kind, those of a caller too. No thing has it: it lacks a quote. */
function everyOf(kind: string): string {
  return `${kind} "`;
}

const NEVER: SessionFacts = { state: 'never', opened: 0 };
const CLOSED: SessionFacts = { state: 'closed', opened: 0 };
export const MAYBE: SessionFacts = { state: 'maybe', opened: 2 };
/** State of a thing that a caller may bring: no step of the file speaks of it. */
export const ASSUMED: SessionFacts = { ...MAYBE };

export type Marks = ReadonlyMap<string, SessionFacts>;

/** Facts that follow steps one after another: each sees what those before it may have done. */
export class FlowFacts implements View {
  readonly #parent: View | undefined;
  readonly #variables = new Map<string, Variable>();
  /** Defined more than once: what is there when steps end early may be an earlier value. */
  readonly #redefined = new Set<string>();
  readonly #steps = new Map<string, Gap | undefined>();
  readonly #sessions = new Map<string, SessionFacts>();
  #isOpen = false;
  #hasHandles = false;
  #moreEnvironment = false;

  constructor(parent?: View) {
    this.#parent = parent;
  }

  readonly hasVariable = (name: string): boolean =>
    this.#variables.has(name) || this.#parent?.hasVariable(name) === true;
  readonly variable = (name: string): Variable | undefined => this.#variables.get(name) ?? this.#parent?.variable(name);
  readonly isOpen = (): boolean => this.#isOpen || this.#parent?.isOpen() === true;
  readonly hasStep = (id: string): boolean => this.#steps.has(id) || this.#parent?.hasStep(id) === true;
  readonly stepGap = (id: string): Gap | undefined =>
    this.#steps.has(id) ? this.#steps.get(id) : this.#parent?.stepGap(id);
  readonly hasMoreEnvironment = (): boolean => this.#moreEnvironment || this.#parent?.hasMoreEnvironment() === true;
  readonly session = (name: string): SessionFacts =>
    this.#sessions.get(name) ?? this.#parent?.session(name) ?? (this.#hasHandles && isHandle(name) ? ASSUMED : NEVER);

  readonly sessions = (): Iterable<string> => [...this.#sessions.keys(), ...(this.#parent?.sessions() ?? [])];

  readonly variables = (): Iterable<string> => [...this.#variables.keys(), ...(this.#parent?.variables() ?? [])];

  readonly variableCount = (): number => this.#variables.size + (this.#parent?.variableCount() ?? 0);

  define(name: string, variable: Variable = UNTYPED): void {
    if (this.#variables.has(name)) this.#redefined.add(name);
    this.#variables.set(name, variable);
  }

  /** Facts about a session that steps at this level have changed. */
  readonly ownSession = (name: string): SessionFacts | undefined => this.#sessions.get(name);

  /** The sessions that steps at this level have changed, as they are now. */
  marks(): Marks {
    return new Map(this.#sessions);
  }

  /** Whether steps at this level have opened or ended something since. */
  hasMoved(before: Marks): boolean {
    const outer = this.#parent?.session;
    return [...this.#sessions].some(
      ([name, { state }]) => state !== (before.get(name) ?? outer?.(name) ?? NEVER).state,
    );
  }

  /** The sessions that steps at this level have moved: how all ways leave them, or that ways differ. */
  moved(): ReadonlyMap<string, 'open' | 'closed' | 'possible'> {
    const moved = new Map<string, 'open' | 'closed' | 'possible'>();
    for (const [name, facts] of this.#sessions) {
      const isClosed = facts.state === 'closed' || (facts.state === 'maybe' && facts.isClosedOnce === true);
      if (facts.state !== 'never') moved.set(name, facts.state === 'open' ? 'open' : isClosed ? 'closed' : 'possible');
    }
    return moved;
  }

  /** Sessions and other things that steps at this level have made for certain and nothing ends, by name. */
  left(): ReadonlyMap<string, Call> {
    const left = [...this.#sessions].flatMap(([name, { state, by }]) =>
      state === 'open' && by !== undefined ? [[name, by] as const] : [],
    );
    return new Map(this.isOpen() ? [] : left);
  }

  /** Variables that steps at this level have defined. */
  own(): ReadonlyMap<string, Variable> {
    return this.#variables;
  }

  /** Nothing is known any more of the values of variables that are there: they may be others by the time. */
  forget(names: Iterable<string>): void {
    for (const name of names) if (this.hasVariable(name)) this.#variables.set(name, UNTYPED);
  }

  /** Forgets the types of variables that were defined anew: the steps that did so may have ended early. */
  endEarly(): void {
    this.forget(this.#redefined);
  }

  open(): void {
    this.#isOpen = true;
  }

  /** A caller may bring things beside sessions: the current element, watches. */
  assumeHandles(): void {
    this.#hasHandles = true;
  }

  /** Whether a caller may bring things. */
  mayBeBrought(): boolean {
    return this.#hasHandles || (this.#parent instanceof FlowFacts && this.#parent.mayBeBrought());
  }

  /** A step holds something while its steps run. Returns what lets go of it. */
  hold(name: string, by: Call): () => void {
    const before = this.session(name);
    this.#sessions.set(name, { opened: 1, by, state: 'open' });
    return () => void this.#sessions.set(name, before);
  }

  /** A node of a graph has ended: what becomes of variables and sessions the graph says. */
  passNode(node: FlowFacts): void {
    for (const [id, gap] of node.#steps) this.#steps.set(id, gap);
    this.#isOpen ||= node.#isOpen;
    this.#moreEnvironment ||= node.#moreEnvironment;
  }

  /** Steps that ran beside each other have left a session like that. */
  settle(name: string, facts: SessionFacts): void {
    this.#sessions.set(name, facts);
  }

  /** Says nothing more of a session that was reported missing. */
  assumeSession(name: string): void {
    this.#sessions.set(name, MAYBE);
  }

  /**
   * A step has ended. `isSure`: it runs whenever its list does. `typed`: what is known of the variables that it
   * defines.
   */
  pass(call: Call, flow: Flow | undefined, isSure: boolean, typed?: (name: string) => Variable): void {
    const id = call.step.options?.id;
    if (id !== undefined) this.#steps.set(id, undefined);
    if (flow === undefined) return;
    for (const name of flow.defines) this.define(name, this.#after(name, call, typed));
    if (flow.isOpen) this.#isOpen = true;
    if (flow.addsEnvironment) this.#moreEnvironment = true;
    if (flow.closes !== undefined) this.#closed(flow.closes, isSure, call);
    if (flow.ends !== undefined) this.#closed(flow.ends, isSure, call);
    if (flow.endsAll !== undefined) this.#endedAll(flow.endsAll, isSure, call);
    if (flow.endsSome !== undefined) this.#endedSome(flow.endsSome);
    if (flow.opens !== undefined) this.#opened(flow.opens, call);
    if (flow.makes !== undefined) this.#opened(flow.makes, call);
  }

  /**
   * Steps that may have run, whose facts went on from these, have ended: what they did is possible. `without`:
   * names that are not seen any more, or (`steps`) all of them. `gap`: why none of them may have run.
   */
  absorb(branch: FlowFacts, without: readonly string[] | 'steps' = [], gap?: Gap): void {
    for (const [id, missed] of branch.#steps) this.#steps.set(id, missed ?? gap);
    if (without !== 'steps') {
      for (const [name, variable] of branch.#variables)
        if (!without.includes(name)) this.define(name, this.#perhaps(name, [variable], gap));
      for (const name of branch.#redefined) this.#redefined.add(name);
      this.#isOpen ||= branch.#isOpen;
    }
    this.#moreEnvironment ||= branch.#moreEnvironment;
    for (const [name, facts] of branch.#sessions) {
      const before = this.session(name);
      const isEitherWay = gap?.kind === 'when' && before.state === 'doubtful' && before.gap.kind === 'when';
      this.#sessions.set(name, gap === undefined || isEitherWay ? facts : this.#alike([facts, before], gap));
    }
  }

  /** Facts about a session after one of several ways was taken; `gap`: why the ways differ. */
  #alike(ways: readonly SessionFacts[], gap: Gap | undefined): SessionFacts {
    const [first = NEVER] = ways;
    const opened = Math.max(...ways.map((each) => each.opened));
    if (ways.every((each) => each.state === 'maybe'))
      return { state: 'maybe', opened, ...(ways.every((each) => each.isClosedOnce) && { isClosedOnce: true }) };
    if (ways.every(({ state }) => state === first.state)) return { ...first, opened };
    const isKnown = gap !== undefined && ways.every(({ state }) => state !== 'maybe');
    return isKnown ? { state: 'doubtful', opened, gap } : { state: 'maybe', opened };
  }

  /** Blocks of a step have ended of which one ran (`gap`: or none). */
  absorbAll(branches: readonly FlowFacts[], holder: Call, gap?: Gap): void {
    const names = new Set(branches.flatMap((branch) => [...branch.#sessions.keys()]));
    const sessions = [...names].map((name) => {
      const ways = branches.map((branch) => branch.session(name));
      const all = gap === undefined ? ways : [...ways, this.session(name)];
      return [name, this.#alike(all, gap ?? { kind: 'branch', call: holder })] as const;
    });
    const before = new Map(
      branches.flatMap((branch) => [...branch.#variables.keys()]).map((name) => [name, this.variable(name)] as const),
    );
    for (const branch of branches) this.absorb(branch);
    for (const branch of branches)
      for (const [id, missed] of branch.#steps) this.#steps.set(id, missed ?? gap ?? { kind: 'branch', call: holder });
    for (const [name, facts] of sessions) this.#sessions.set(name, facts);
    for (const [name, outer] of before) {
      const made = branches.flatMap((branch) => branch.#variables.get(name) ?? []);
      const isWhole = gap === undefined && made.length === branches.length;
      if (isWhole) this.#variables.set(name, eitherOf(made));
      else
        this.#variables.set(
          name,
          eitherOf(outer ? [...made, outer] : made, outer ? undefined : (gap ?? missedBy(made, holder))),
        );
    }
  }

  #perhaps(name: string, made: readonly Variable[], gap: Gap | undefined): Variable {
    const outer = this.variable(name);
    if (outer === undefined) return eitherOf(made, gap);
    const { gap: missed, ...either } = eitherOf([...made, outer]);
    // One of two steps with conditions may run whenever the other does not.
    const isEitherWay = gap?.kind === 'when' && missed?.kind === 'when' && made.every((each) => !each.gap);
    return isEitherWay || missed === undefined ? either : { ...either, gap: missed };
  }

  #after(name: string, call: Call, typed: ((name: string) => Variable) | undefined): Variable {
    const variable = typed?.(name) ?? UNTYPED;
    if (call.step.options?.when === undefined) return variable;
    const outer = this.variable(name);
    if (outer === undefined) return { ...variable, gap: { kind: 'when', call } };
    const { gap, ...either } = eitherOf([variable, outer]);
    // One of two steps with conditions may run whenever the other does not.
    return gap?.kind === 'when' ? either : { ...either, ...(gap && { gap }) };
  }

  /** Steps of a file have ended that `call` uses: what all ways through it do is certain, the rest is possible. */
  passUsed(call: Call, done: LeftByFile, isSure: boolean): void {
    // A browser that is opened has no element until one is found.
    for (const kind of done.endsAll) this.#usedEnds(kind, done.sessions.get(everyOf(kind)), call, isSure);
    const ends = [...done.sessions].toSorted(([a], [b]) => Number(ENGINES.has(b)) - Number(ENGINES.has(a)));
    for (const [name, state] of ends) {
      if (name === everyOf(kindOf(name))) continue;
      if (state === 'open') this.#opened(name, call);
      else if (state === 'closed') this.#closed(name, isSure, call);
      else this.#mayHaveMoved(name, done, call);
    }
    for (const kind of done.endsSome) this.#endedSome(kind);
    if (done.addsEnvironment) this.#moreEnvironment = true;
  }

  /** A file that `call` uses ends all things of a kind, on all ways through it or on some. */
  #usedEnds(kind: string, state: 'open' | 'closed' | 'possible' | undefined, call: Call, isSure: boolean): void {
    if (state === 'closed') return this.#endedAll(kind, isSure, call);
    if (state === undefined) return this.#endedSome(kind);
    for (const name of this.#ofKind(kind)) {
      const { state: before, opened, by } = this.session(name);
      if (before === 'open') this.#sessions.set(name, { opened, by, state: 'doubtful', gap: { kind: 'use', call } });
    }
  }

  /** Some ways through a file that `call` uses open a session, or close it. */
  #mayHaveMoved(name: string, { opens, makes, closes, ends }: LeftByFile, call: Call): void {
    const { state, opened, by } = this.session(name);
    const mayOpen = opens.has(name) || makes.has(name);
    const mayClose = closes.has(name) || ends.has(name);
    if (state === 'maybe' || state === 'doubtful' || (!mayOpen && !mayClose)) return;
    if (mayOpen && mayClose) this.#sessions.set(name, { opened: opened + 1, by, state: 'maybe' });
    else if (mayOpen === (state !== 'open'))
      this.#sessions.set(name, {
        opened: mayOpen ? opened + 1 : opened,
        by,
        state: 'doubtful',
        gap: { kind: 'use', call },
      });
  }

  /** Notes that a session was opened. A new browser has no current element. */
  #opened(name: string, call?: Call): void {
    const facts = this.session(name);
    if (ENGINES.has(name)) this.#sessions.set(`${name}-element`, elementOf(facts));
    // Of other things there is one of each name at a time.
    const opened = isHandle(name) ? 1 : facts.opened + 1;
    // One of two steps with conditions may run whenever the other does not.
    const gap = facts.state === 'doubtful' ? facts.gap : undefined;
    const isConditional = call?.step.options?.when !== undefined && facts.state !== 'open' && gap?.kind !== 'when';
    if (!isConditional) this.#sessions.set(name, { opened, by: call, state: 'open' });
    else if (facts.state === 'maybe') this.#sessions.set(name, { opened, by: call, state: 'maybe' });
    else this.#sessions.set(name, { opened, by: call, state: 'doubtful', gap: gap ?? { kind: 'when', call } });
  }

  /** Names of the things of a kind that steps have made. */
  #ofKind(kind: string): readonly string[] {
    return [...new Set(this.sessions())].filter((name) => kindOf(name) === kind && name !== everyOf(kind));
  }

  /** All things of a kind were ended, those of a caller too. */
  #endedAll(kind: string, isSure: boolean, call: Call): void {
    for (const name of this.#ofKind(kind)) this.#closed(name, isSure, call);
    const isCertain = isSure && call.step.options?.when === undefined;
    const name = everyOf(kind);
    if (isCertain || this.session(name).state !== 'closed') this.#sessions.set(name, isCertain ? CLOSED : MAYBE);
  }

  /** Some thing of a kind was ended: of none is known any more whether it is there. */
  #endedSome(kind: string): void {
    for (const name of this.#ofKind(kind)) {
      const { state, opened, by } = this.session(name);
      if (state === 'open' || state === 'doubtful') this.#sessions.set(name, { opened, by, state: 'maybe' });
    }
  }

  /** Notes that a session was closed; where two of a kind were opened, closing one leaves the other. */
  #closed(name: string, isSure: boolean, call?: Call): void {
    const { state, opened, by } = this.session(name);
    // One that a caller may bring is closed for it.
    if (state === 'never') return this.mayBeBrought() ? void this.#sessions.set(name, CLOSED) : undefined;
    const isCertain = isSure && call?.step.options?.when === undefined;
    if (!isSure || opened > 1)
      this.#sessions.set(name, { opened, state: 'maybe', ...(isCertain && { isClosedOnce: true }) });
    else if (call?.step.options?.when === undefined) this.#sessions.set(name, { opened, state: 'closed' });
    else if (state === 'open') this.#sessions.set(name, { opened, by, state: 'doubtful', gap: { kind: 'when', call } });
  }
}

/** Effects of a file that is used on sessions, and on other things, of its caller. */
type LeftByFile = Pick<
  UsedFile,
  'sessions' | 'opens' | 'closes' | 'makes' | 'ends' | 'endsAll' | 'endsSome' | 'addsEnvironment'
>;

const ENGINES: ReadonlySet<string> = new Set(['webdriver', 'playwright']);

/** The current element of a browser that has just been opened: none, unless another one may still be open. */
function elementOf({ opened, state }: SessionFacts): SessionFacts {
  if (opened === 0) return NEVER;
  return state === 'closed' ? CLOSED : MAYBE;
}

/** A branch without a definition, beside others that have one. */
function missedBy(made: readonly Variable[], holder: Call): Gap {
  const [call = holder] = made.flatMap(({ from }) => from ?? []);
  return { kind: 'branch', call };
}

/** View of steps that run later or often, when all others may have run: sessions may be open by then. */
export function everything(variables: () => ReadonlySet<string>): View {
  return {
    hasVariable: (name) => variables().has(name),
    variable: () => UNTYPED,
    variables,
    variableCount: () => variables().size,
    isOpen: () => false,
    session: () => MAYBE,
    sessions: () => [],
    hasStep: () => true,
    stepGap: () => undefined,
    hasMoreEnvironment: () => true,
  };
}
