import type { StepStatus } from '#schemas/types/record.ts';

/** A value of the variable store. */
export interface Entry {
  readonly value: unknown;
  /** Rises with every write of a run, so that a join knows which of two writes came later. */
  readonly order: number;
  /** Declared secret: also masked where it is too short to be searched for. */
  readonly secret: boolean;
  /** Text from outside: read as JSON where a schema takes only numbers or booleans. */
  readonly text: boolean;
  readonly writer: Scope;
}

/** Outcome of a step, for `{{steps.…}}` and `{{run.…}}`. */
export interface StepState {
  readonly id: string;
  readonly command: string;
  readonly status: StepStatus;
  readonly result?: unknown;
  readonly message?: string;
}

/** The step that should have made something, and why it did not. */
export interface Lack {
  readonly id: string;
  readonly status: 'failed' | 'skipped';
}

/** State that the scopes of one unit share. */
export interface ScopeFamily {
  /** Number of the next write. */
  next: number;
  /** Some name holds a dot or a bracket: lookups must try the longest name first. */
  dotted: boolean;
}

const VARIABLE = 'variable:';
/** Beginning of a provision that is the result of a step. */
const RESULT = 'result:';

/**
 * Variables as a branch of a run sees them: its own writes over those of what it depends on. A list body has
 * one scope; in a graph each node has its own, whose parents are the scopes of its dependencies.
 */
export class Scope {
  readonly #family: ScopeFamily;
  readonly #parents: readonly Scope[];
  readonly #variables = new Map<string, Entry>();
  #inheritsVariables = true;
  /** The scope around a block, to which everything is written but the block's own variables. */
  #outer: Scope | undefined;
  readonly #steps = new Map<string, StepState>();
  /** `variable:NAME` and `session:NAME`: made (undefined), or not made by this step. */
  readonly #provisions = new Map<string, Lack | undefined>();

  constructor(family: ScopeFamily = { next: 0, dotted: false }, parents: readonly Scope[] = []) {
    this.#family = family;
    this.#parents = parents;
  }

  /** The scope of a block: some variables that it alone sees; everything else is what `outer` sees and writes. */
  static block(outer: Scope): Scope {
    const scope = new Scope(outer.#family, [outer]);
    scope.#outer = outer;
    return scope;
  }

  /** A new branch that begins with what these hold together. */
  static join(scopes: readonly [Scope, ...Scope[]]): Scope {
    return new Scope(scopes[0].#family, scopes);
  }

  get dotted(): boolean {
    return this.#family.dotted;
  }

  find(name: string): Entry | undefined {
    // oxlint-disable-next-line typescript/no-this-alias -- the walk begins here and goes up
    let here: Scope = this;
    for (;;) {
      const own = here.#variables.get(name);
      if (own !== undefined) return own;
      const only = here.#inheritsVariables && here.#parents.length === 1 ? here.#parents[0] : undefined;
      if (!only) break;
      here = only;
    }
    return here.#inheritsVariables && here.#parents.length > 1 ? here.#findInAll(name) : undefined;
  }

  #findInAll(name: string): Entry | undefined {
    const found = this.#parents.map((parent) => parent.find(name)).filter((entry) => entry !== undefined);
    const entry =
      name === 'last_response'
        ? lastListed([...new Set(found.reverse())].reverse())
        : found.reduce<Entry | undefined>(later, undefined);
    // Kept, because wide graphs would otherwise walk their edges again for every lookup.
    if (entry) this.#variables.set(name, entry);
    return entry;
  }

  define(name: string, value: unknown, options: { readonly secret?: boolean; readonly text?: boolean } = {}): void {
    if (this.#outer && !this.#variables.has(name)) return this.#outer.define(name, value, options);
    this.own(name, value, options);
  }

  /** Defines a variable of this scope, in a block one that it alone sees. */
  own(name: string, value: unknown, options: { readonly secret?: boolean; readonly text?: boolean } = {}): void {
    if (!this.#family.dotted && (name.includes('.') || name.includes('['))) this.#family.dotted = true;
    this.#variables.set(name, {
      value,
      order: this.#family.next++,
      secret: options.secret ?? false,
      text: options.text ?? false,
      writer: this,
    });
  }

  /** Forgets every variable; what other branches see stays. */
  clear(): void {
    this.#outer?.clear();
    this.#variables.clear();
    this.#inheritsVariables = false;
  }

  names(): readonly string[] {
    const names = new Set<string>();
    this.#visit((scope) => {
      for (const name of scope.#variables.keys()) names.add(name);
      return scope.#inheritsVariables;
    });
    return [...names];
  }

  /**
   * Takes over what branches that ended have written, so that what follows sees it. `ends` are those that no other one
   * goes on from.
   */
  adopt(branches: readonly Scope[], ends: readonly Scope[]): void {
    const responses = new Set<Entry>();
    if (this.#outer) return this.#outer.adopt(branches, ends);
    new Scope(this.#family, [this, ...branches]).#visit((scope) => {
      if (scope.#outer) return true;
      for (const [name, entry] of scope.#variables) {
        if (name === 'last_response') responses.add(entry);
        const known = this.#variables.get(name);
        if (!known || known.order < entry.order) this.#variables.set(name, entry);
      }
      return true;
    });
    const response = responses.size > 1 ? Scope.join([this, ...ends]).find('last_response') : undefined;
    if (response) this.#variables.set('last_response', response);
    for (const branch of branches) {
      for (const [name, lack] of branch.#provisions) this.#provisions.set(name, lack);
      for (const state of branch.#steps.values()) this.note(state);
    }
  }

  /** Takes over what became of the steps of a branch, and nothing that they wrote. */
  adoptSteps(branch: Scope): void {
    for (const state of branch.#steps.values()) this.note(state);
  }

  note(state: StepState): void {
    if (this.#outer) return this.#outer.note(state);
    this.#steps.set(state.id, state);
  }

  /** The state of a step by its id without path: of those before this one, in a graph of those that it depends on. */
  step(id: string): StepState | undefined {
    let found: StepState | undefined;
    this.#visit((scope) => {
      found ??= scope.#steps.get(id);
      return found === undefined;
    });
    return found;
  }

  failures(): readonly StepState[] {
    const failed = new Set<StepState>();
    const scopes: Scope[] = [];
    this.#visit((scope) => scopes.push(scope) > 0);
    for (const scope of scopes.reverse())
      for (const state of scope.#steps.values()) if (state.status === 'failed') failed.add(state);
    return [...failed];
  }

  made(provision: string): void {
    if (this.#outer) return this.#outer.made(provision);
    // A variable that is there tells so itself; only what takes a lack back must be remembered.
    if (this.#parents.length === 0 && provision.startsWith(VARIABLE) && !this.#provisions.has(provision)) return;
    this.#provisions.set(provision, undefined);
  }

  /** `kept`: what an earlier step made under the same name still counts. */
  notMade(provision: string, lack: Lack, kept: boolean): void {
    if (this.#outer) return this.#outer.notMade(provision, lack, kept);
    if (!kept || !this.#has(provision)) this.#provisions.set(provision, lack);
  }

  /** Reason why the provision is missing; undefined where it is there, or nothing is known of it. */
  lacks(provision: string): Lack | undefined {
    if (provision.startsWith(RESULT)) return this.#lacksResult(provision.slice(RESULT.length));
    let lack: Lack | undefined;
    this.#visit((scope) => {
      lack ??= scope.#provisions.get(provision);
      return lack === undefined && !scope.#provisions.has(provision);
    });
    return lack;
  }

  /** A step that has not run at all is another matter: a block that is not taken has none. */
  #lacksResult(id: string): Lack | undefined {
    const state = this.step(id);
    if (state === undefined || 'result' in state) return undefined;
    const { status } = state;
    return status === 'failed' || status === 'skipped' ? { id, status } : undefined;
  }

  #has(provision: string): boolean {
    if (provision.startsWith(VARIABLE)) return this.find(provision.slice(VARIABLE.length)) !== undefined;
    let made = false;
    this.#visit((scope) => {
      made ||= scope.#provisions.has(provision) && scope.#provisions.get(provision) === undefined;
      return !scope.#provisions.has(provision);
    });
    return made;
  }

  /** This scope and those before it, each once; goes no further where `enter` says no. */
  #visit(enter: (scope: Scope) => boolean): void {
    const seen = new Set<Scope>([this]);
    for (const scope of seen) if (enter(scope)) for (const parent of scope.#parents) seen.add(parent);
  }

  #comesFrom(other: Scope): boolean {
    let found = false;
    this.#visit((scope) => !(found ||= scope === other));
    return found;
  }

  /** Whether `entry` was written by a branch that went on from `other`'s. */
  static supersedes(entry: Entry, other: Entry): boolean {
    return entry !== other && entry.order > other.order && entry.writer.#comesFrom(other.writer);
  }
}

function later(best: Entry | undefined, next: Entry): Entry {
  return best && best.order > next.order ? best : next;
}

/** After a join the last response is that of the branch listed last, unless another branch went on from that one. */
function lastListed(entries: readonly Entry[]): Entry | undefined {
  return entries.findLast((entry) => !entries.some((other) => Scope.supersedes(other, entry)));
}
