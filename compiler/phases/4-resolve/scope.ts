import type { Call } from './resolved.ts';
import type { Flow } from './signature.ts';
import { eitherOf, UNTYPED, type Gap, type Variable } from './variable.ts';

/** What is known when a step is reached. */
export interface View {
  /** Whether some earlier step, an input or the command line may have defined a variable of that name. */
  readonly hasVariable: (name: string) => boolean;
  /** What is known of a variable that is there. */
  readonly variable: (name: string) => Variable | undefined;
  readonly variables: () => Iterable<string>;
  /** How many of them there are at most. */
  readonly variableCount: () => number;
  /** A step before may have defined names, or opened sessions, that only a run knows. */
  readonly isOpen: () => boolean;
  readonly session: (name: string) => SessionState;
  /** Whether the step of that id has ended before. */
  readonly hasStep: (id: string) => boolean;
  /** A step before may have added environment keys. */
  readonly hasMoreEnvironment: () => boolean;
}

/** `never`: nothing before opens it; `closed`: it was opened and closed again. */
export type SessionState = 'open' | 'closed' | 'never' | 'maybe';

/** Steps one after another: each sees what those before it may have done. */
export class Scope implements View {
  readonly #parent: View | undefined;
  readonly #variables = new Map<string, Variable>();
  /** Defined more than once: what is there when steps end early may be an earlier value. */
  readonly #redefined = new Set<string>();
  readonly #steps = new Set<string>();
  readonly #sessions = new Map<string, { opened: number; state: SessionState }>();
  #isOpen = false;
  #moreEnvironment = false;

  constructor(parent?: View) {
    this.#parent = parent;
  }

  readonly hasVariable = (name: string): boolean =>
    this.#variables.has(name) || this.#parent?.hasVariable(name) === true;
  readonly variable = (name: string): Variable | undefined => this.#variables.get(name) ?? this.#parent?.variable(name);
  readonly isOpen = (): boolean => this.#isOpen || this.#parent?.isOpen() === true;
  readonly hasStep = (id: string): boolean => this.#steps.has(id) || this.#parent?.hasStep(id) === true;
  readonly hasMoreEnvironment = (): boolean => this.#moreEnvironment || this.#parent?.hasMoreEnvironment() === true;
  readonly session = (name: string): SessionState =>
    this.#sessions.get(name)?.state ?? this.#parent?.session(name) ?? 'never';

  readonly variables = (): Iterable<string> => [...this.#variables.keys(), ...(this.#parent?.variables() ?? [])];

  readonly variableCount = (): number => this.#variables.size + (this.#parent?.variableCount() ?? 0);

  define(name: string, variable: Variable = UNTYPED): void {
    if (this.#variables.has(name)) this.#redefined.add(name);
    this.#variables.set(name, variable);
  }

  /** What steps at this level have defined. */
  own(): ReadonlyMap<string, Variable> {
    return this.#variables;
  }

  /** Nothing is known any more of the values of variables that are there: they may be others by the time. */
  forget(names: Iterable<string>): void {
    for (const name of names) if (this.hasVariable(name)) this.#variables.set(name, UNTYPED);
  }

  /** What runs now runs after steps that may have ended early. */
  endEarly(): void {
    this.forget(this.#redefined);
  }

  open(): void {
    this.#isOpen = true;
  }

  /** Says nothing more of a session that was reported missing. */
  assumeSession(name: string): void {
    this.#sessions.set(name, { opened: 2, state: 'maybe' });
  }

  /** A step has ended. `isSure`: it runs whenever its list does. `typed`: what is known of the variables that it defines. */
  pass(call: Call, flow: Flow | undefined, isSure: boolean, typed?: (name: string) => Variable): void {
    const id = call.step.options?.id;
    if (id !== undefined) this.#steps.add(id);
    if (flow === undefined) return;
    for (const name of flow.defines) this.define(name, this.#after(name, call, typed));
    if (flow.isOpen) this.#isOpen = true;
    if (flow.addsEnvironment) this.#moreEnvironment = true;
    if (flow.opens !== undefined) this.#opened(flow.opens);
    if (flow.closes !== undefined) this.#closed(flow.closes, isSure);
  }

  /**
   * Steps that may have run, in a scope that went on from this one, have ended: what they did is possible. `without`: names
   * that are not seen any more, or (`steps`) all of them. `gap`: why none of them may have run.
   */
  absorb(branch: Scope, without: readonly string[] | 'steps' = [], gap?: Gap): void {
    for (const id of branch.#steps) this.#steps.add(id);
    if (without !== 'steps') {
      for (const [name, variable] of branch.#variables)
        if (!without.includes(name)) this.define(name, this.#perhaps(name, [variable], gap));
      for (const name of branch.#redefined) this.#redefined.add(name);
      this.#isOpen ||= branch.#isOpen;
    }
    this.#moreEnvironment ||= branch.#moreEnvironment;
    for (const [name, { opened, state }] of branch.#sessions) {
      const before = this.#sessions.get(name)?.opened ?? 0;
      this.#sessions.set(name, {
        opened: Math.max(before, opened),
        state: this.session(name) === state ? state : 'maybe',
      });
    }
  }

  /** Blocks have ended of which one ran (`gap`: or none), or all of them. */
  absorbAll(branches: readonly Scope[], gap?: Gap): void {
    const before = new Map(
      branches.flatMap((branch) => [...branch.#variables.keys()]).map((name) => [name, this.variable(name)] as const),
    );
    for (const branch of branches) this.absorb(branch);
    for (const [name, outer] of before) {
      const made = branches.flatMap((branch) => branch.#variables.get(name) ?? []);
      const isWhole = gap === undefined && made.length === branches.length;
      if (isWhole) this.#variables.set(name, eitherOf(made));
      else
        this.#variables.set(
          name,
          eitherOf(outer ? [...made, outer] : made, outer ? undefined : (gap ?? missedBy(made))),
        );
    }
  }

  #perhaps(name: string, made: readonly Variable[], gap: Gap | undefined): Variable {
    const outer = this.variable(name);
    return outer ? eitherOf([...made, outer]) : eitherOf(made, gap);
  }

  #after(name: string, call: Call, typed: ((name: string) => Variable) | undefined): Variable {
    const variable = typed?.(name) ?? UNTYPED;
    if (call.step.options?.when === undefined) return variable;
    const outer = this.variable(name);
    if (outer === undefined) return { ...variable, gap: { kind: 'when', call } };
    const { gap, ...either } = eitherOf([variable, outer]);
    // Of two steps with conditions one may run whenever the other does not.
    return gap?.kind === 'when' ? either : { ...either, ...(gap && { gap }) };
  }

  /** Steps of a file that is used have ended. */
  passSessions(
    done: { readonly opens: Iterable<string>; readonly closes: Iterable<string>; readonly addsEnvironment: boolean },
    isSure: boolean,
  ): void {
    for (const name of done.opens) this.#opened(name);
    for (const name of done.closes) this.#closed(name, isSure);
    if (done.addsEnvironment) this.#moreEnvironment = true;
  }

  #opened(name: string): void {
    const opened = (this.#sessions.get(name)?.opened ?? 0) + 1;
    this.#sessions.set(name, { opened, state: 'open' });
  }

  /** Where two sessions of a kind were opened, closing one leaves the other. */
  #closed(name: string, isSure: boolean): void {
    const before = this.session(name);
    const opened = this.#sessions.get(name)?.opened ?? 0;
    if (before === 'never') return;
    this.#sessions.set(name, { opened, state: isSure && opened <= 1 ? 'closed' : 'maybe' });
  }
}

/** A branch without a definition, beside others that have one. */
function missedBy(made: readonly Variable[]): Gap | undefined {
  const [call] = made.flatMap(({ from }) => from ?? []);
  return call && { kind: 'branch', call };
}

/** What steps see that run later or often, when all others may have run: sessions may be open by then. */
export function everything(variables: () => ReadonlySet<string>): View {
  return {
    hasVariable: (name) => variables().has(name),
    variable: () => UNTYPED,
    variables,
    variableCount: () => variables().size,
    isOpen: () => false,
    session: () => 'maybe',
    hasStep: () => true,
    hasMoreEnvironment: () => true,
  };
}
