import type { Dag } from '#compiler/graph/dag.ts';

import { flowOf } from './flow.ts';
import type { Knowledge } from './knowledge.ts';
import { keyOf, type Call, type CallList, type UsedFile } from './resolved.ts';
import type { Scope, SessionState, View } from './scope.ts';
import type { Flow } from './signature.ts';
import { eitherOf, UNTYPED, type Variable } from './variable.ts';
import { eachList, listsOf } from './walk-calls.ts';

/** What steps do together with the steps inside them. */
export interface Effects {
  readonly defines: ReadonlySet<string>;
  readonly isOpen: boolean;
  readonly addsEnvironment: boolean;
  /** Sessions that it opens, closes or uses without having opened them itself. */
  readonly opens: ReadonlySet<string>;
  readonly closes: ReadonlySet<string>;
  readonly uses: ReadonlySet<string>;
  readonly ids: readonly string[];
}

export function effectsOf(calls: readonly Call[], knowledge: Knowledge): Effects {
  const effects = {
    defines: new Set<string>(),
    isOpen: false,
    addsEnvironment: false,
    opens: new Set<string>(),
    closes: new Set<string>(),
    uses: new Set<string>(),
    ids: [] as string[],
  };
  const add = (flow: Flow | undefined): void => {
    if (flow === undefined) return;
    for (const name of flow.defines) effects.defines.add(name);
    effects.isOpen ||= flow.isOpen;
    effects.addsEnvironment ||= flow.addsEnvironment;
    if (flow.uses !== undefined && !effects.opens.has(flow.uses)) effects.uses.add(flow.uses);
    if (flow.opens !== undefined) effects.opens.add(flow.opens);
    if (flow.closes !== undefined) effects.closes.add(flow.closes);
  };
  const note = (each: Call, isSeen: boolean): void => {
    const flow = flowOf(each, knowledge.tokens, knowledge.profiles);
    add(isSeen || flow === undefined ? flow : { ...flow, defines: [], isOpen: false });
    if (each.used !== undefined) addUsed(each.used, effects);
    const id = each.step.options?.id;
    if (id !== undefined) effects.ids.push(id);
    // What branches of a loop write nobody else sees.
    const isInsideSeen = isSeen && each.step.control?.branches === undefined;
    for (const list of listsOf(each).values()) for (const inner of list.calls) note(inner, isInsideSeen);
  };
  for (const call of calls) note(call, true);
  for (const call of calls)
    eachList(listsOf(call).values(), (list) => {
      effects.isOpen ||= list.incomplete;
    });
  return effects;
}

/** Adds the effects of a file that is used: its sessions are the caller's, its variables are not. */
function addUsed({ resolved, opens, closes, addsEnvironment }: UsedFile, effects: MutableEffects): void {
  for (const session of resolved.file.meta.sessions ?? []) if (!effects.opens.has(session)) effects.uses.add(session);
  for (const session of opens) effects.opens.add(session);
  for (const session of closes) effects.closes.add(session);
  effects.addsEnvironment ||= addsEnvironment;
}

interface MutableEffects {
  readonly opens: Set<string>;
  readonly closes: Set<string>;
  readonly uses: Set<string>;
  addsEnvironment: boolean;
}

/** What the nodes of one graph do, by key, and who does it. */
export class GraphEffects {
  readonly effects = new Map<string, Effects>();
  /** Nodes that define a variable. */
  readonly definers = new Map<string, string[]>();
  /** Which node holds a step, by the step's id. */
  readonly #holder = new Map<string, string>();
  readonly #dag: Dag;
  readonly #isIncomplete: boolean;
  /** Nodes after which names, or keys, are possible that only a run knows. */
  readonly #open: string[] = [];
  readonly #environment: string[] = [];
  readonly #openers = new Map<string, string[]>();
  readonly #closers = new Map<string, string[]>();
  /** What nodes that were followed have left. */
  readonly #scopes = new Map<string, Scope>();

  constructor(list: CallList, dag: Dag, knowledge: Knowledge) {
    this.#dag = dag;
    this.#isIncomplete = list.incomplete;
    for (const call of list.calls) {
      const id = keyOf(call);
      if (this.effects.has(id)) continue;
      const effects = effectsOf([call], knowledge);
      this.effects.set(id, effects);
      for (const name of effects.defines) add(this.definers, name, id);
      for (const session of effects.opens) add(this.#openers, session, id);
      for (const session of effects.closes) add(this.#closers, session, id);
      if (effects.isOpen) this.#open.push(id);
      if (effects.addsEnvironment) this.#environment.push(id);
      for (const inner of effects.ids) this.#holder.set(inner, id);
    }
  }

  /** A node has been followed in a scope of its own. */
  followed(id: string, scope: Scope): void {
    this.#scopes.set(id, scope);
  }

  /** What the nodes that define a variable have left of it; of those that were not followed nothing is known. */
  #definedBy(ids: readonly string[], name: string): Variable {
    const made = ids.map((id) => this.#scopes.get(id)?.own().get(name));
    const known = made.filter((each) => each !== undefined);
    return known.length === made.length && known.length > 0 ? eitherOf(known) : UNTYPED;
  }

  /** A variable as it is when all nodes have ended. */
  leaves(name: string): Variable {
    return this.#definedBy(this.definers.get(name) ?? [], name);
  }

  /** What a node can see: what was there before the graph, and what the nodes before it did. */
  viewOf(id: string, outer: View): View {
    const isBefore = (other: string): boolean => this.#dag.isBefore(other, id);
    return {
      hasVariable: (name) => outer.hasVariable(name) || (this.definers.get(name)?.some(isBefore) ?? false),
      variable: (name) => {
        const before = this.definers.get(name)?.filter(isBefore) ?? [];
        return before.length === 0 ? outer.variable(name) : this.#definedBy(before, name);
      },
      variables: () => [
        ...outer.variables(),
        ...[...this.definers].filter(([, ids]) => ids.some(isBefore)).map(([name]) => name),
      ],
      variableCount: () => outer.variableCount() + this.definers.size,
      isOpen: () => this.#isIncomplete || outer.isOpen() || this.#open.some(isBefore),
      hasMoreEnvironment: () => outer.hasMoreEnvironment() || this.#environment.some(isBefore),
      hasStep: (step) => outer.hasStep(step) || isBefore(this.#holder.get(step) ?? step),
      session: (name) => this.#session(name, outer, isBefore),
    };
  }

  #session(name: string, outer: View, isBefore: (id: string) => boolean): SessionState {
    const opened = this.#openers.get(name)?.some(isBefore) ?? false;
    const closed = this.#closers.get(name)?.some(isBefore) ?? false;
    if (!closed) return opened ? 'open' : outer.session(name);
    return opened ? 'maybe' : 'closed';
  }
}

function add(lists: Map<string, string[]>, key: string, id: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [id]);
  else list.push(id);
}
