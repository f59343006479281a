import type { Call } from './resolved.ts';
import type { Flow } from './signature.ts';

/** What is known when a step is reached. */
export interface View {
  /** Whether some earlier step, an input or the command line may have defined a variable of that name. */
  readonly hasVariable: (name: string) => boolean;
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
  readonly #variables = new Set<string>();
  readonly #steps = new Set<string>();
  readonly #sessions = new Map<string, { opened: number; state: SessionState }>();
  #isOpen = false;
  #moreEnvironment = false;

  constructor(parent?: View) {
    this.#parent = parent;
  }

  readonly hasVariable = (name: string): boolean =>
    this.#variables.has(name) || this.#parent?.hasVariable(name) === true;
  readonly isOpen = (): boolean => this.#isOpen || this.#parent?.isOpen() === true;
  readonly hasStep = (id: string): boolean => this.#steps.has(id) || this.#parent?.hasStep(id) === true;
  readonly hasMoreEnvironment = (): boolean => this.#moreEnvironment || this.#parent?.hasMoreEnvironment() === true;
  readonly session = (name: string): SessionState =>
    this.#sessions.get(name)?.state ?? this.#parent?.session(name) ?? 'never';

  readonly variables = (): Iterable<string> => [...this.#variables, ...(this.#parent?.variables() ?? [])];

  readonly variableCount = (): number => this.#variables.size + (this.#parent?.variableCount() ?? 0);

  define(name: string): void {
    this.#variables.add(name);
  }

  open(): void {
    this.#isOpen = true;
  }

  /** Says nothing more of a session that was reported missing. */
  assumeSession(name: string): void {
    this.#sessions.set(name, { opened: 2, state: 'maybe' });
  }

  /** A step has ended. `isSure`: it runs whenever its list does. */
  pass(call: Call, flow: Flow | undefined, isSure: boolean): void {
    const id = call.step.options?.id;
    if (id !== undefined) this.#steps.add(id);
    if (flow === undefined) return;
    for (const name of flow.defines) this.#variables.add(name);
    if (flow.isOpen) this.#isOpen = true;
    if (flow.addsEnvironment) this.#moreEnvironment = true;
    if (flow.opens !== undefined) this.#opened(flow.opens);
    if (flow.closes !== undefined) this.#closed(flow.closes, isSure);
  }

  /**
   * Steps that may have run, in a scope that went on from this one, have ended: what they did is possible. `without`: names
   * that are not seen any more, or (`steps`) all of them.
   */
  absorb(branch: Scope, without: readonly string[] | 'steps' = []): void {
    for (const id of branch.#steps) this.#steps.add(id);
    if (without !== 'steps') {
      for (const name of branch.#variables) if (!without.includes(name)) this.#variables.add(name);
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

/** What steps see that run later or often, when all others may have run: sessions may be open by then. */
export function everything(variables: () => ReadonlySet<string>): View {
  return {
    hasVariable: (name) => variables().has(name),
    variables,
    variableCount: () => variables().size,
    isOpen: () => false,
    session: () => 'maybe',
    hasStep: () => true,
    hasMoreEnvironment: () => true,
  };
}
