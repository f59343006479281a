import type { Dag } from '#compiler/graph/dag.ts';

import { flowOf } from './flow.ts';
import type { Knowledge } from './knowledge.ts';
import { keyOf, type Call, type CallList, type UsedFile } from './resolved.ts';
import { kindOf, MAYBE, type FlowFacts, type SessionFacts, type View } from './flow-facts.ts';
import type { Flow } from './signature.ts';
import { eitherOf, UNTYPED, type Variable } from './variable.ts';
import { eachList, listsOf } from './walk-calls.ts';

/** Effects of steps together with the steps inside them. */
export interface Effects {
  readonly defines: ReadonlySet<string>;
  readonly isOpen: boolean;
  readonly addsEnvironment: boolean;
  /** Sessions that it opens, closes or uses without having opened them itself. */
  readonly opens: ReadonlySet<string>;
  readonly closes: ReadonlySet<string>;
  readonly uses: ReadonlySet<string>;
  /** Things beside sessions that it makes and ends, and those that it needs whenever it runs. */
  readonly makes: ReadonlySet<string>;
  readonly ends: ReadonlySet<string>;
  /** Kinds of things of which it ends all, and some. */
  readonly endsAll: ReadonlySet<string>;
  readonly endsSome: ReadonlySet<string>;
  readonly needs: ReadonlySet<string>;
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
    makes: new Set<string>(),
    ends: new Set<string>(),
    endsAll: new Set<string>(),
    endsSome: new Set<string>(),
    needs: new Set<string>(),
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
    if (flow.makes !== undefined) effects.makes.add(flow.makes);
    if (flow.ends !== undefined) effects.ends.add(flow.ends);
    if (flow.endsAll !== undefined) effects.endsAll.add(flow.endsAll);
    if (flow.endsSome !== undefined) effects.endsSome.add(flow.endsSome);
  };
  const need = (call: Call, name: string): void => {
    if (call.step.options?.when === undefined && !effects.makes.has(name)) effects.needs.add(name);
  };
  const note = (each: Call, isSeen: boolean): void => {
    const flow = flowOf(each, knowledge.tokens, knowledge.profiles);
    if (flow?.needs !== undefined && calls.includes(each)) need(each, flow.needs);
    add(isSeen || flow === undefined ? flow : { ...flow, defines: [], isOpen: false });
    if (each.used !== undefined) addUsed(each.used, effects);
    const id = each.step.options?.id;
    if (id !== undefined) effects.ids.push(id);
    // Nobody else sees the variables that branches of a loop write.
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
function addUsed(
  { resolved, opens, closes, makes, ends, endsAll, endsSome, addsEnvironment }: UsedFile,
  effects: MutableEffects,
): void {
  for (const session of resolved.file.meta.sessions ?? []) if (!effects.opens.has(session)) effects.uses.add(session);
  for (const session of opens) effects.opens.add(session);
  for (const session of closes) effects.closes.add(session);
  for (const name of makes) effects.makes.add(name);
  for (const name of ends) effects.ends.add(name);
  for (const kind of endsAll) effects.endsAll.add(kind);
  for (const kind of endsSome) effects.endsSome.add(kind);
  effects.addsEnvironment ||= addsEnvironment;
}

interface MutableEffects {
  readonly opens: Set<string>;
  readonly closes: Set<string>;
  readonly uses: Set<string>;
  readonly makes: Set<string>;
  readonly ends: Set<string>;
  readonly endsAll: Set<string>;
  readonly endsSome: Set<string>;
  addsEnvironment: boolean;
}

/** Effects of the nodes of one graph, by key, and which node has each. */
export class GraphEffects {
  readonly effects = new Map<string, Effects>();
  /** Nodes that define a variable. */
  readonly definers = new Map<string, string[]>();
  /** Node that holds a step, by the step's id. */
  readonly #holder = new Map<string, string>();
  readonly #dag: Dag;
  readonly #isIncomplete: boolean;
  /** Nodes after which names, or keys, are possible that only a run knows. */
  readonly #open: string[] = [];
  readonly #environment: string[] = [];
  /** Nodes that open or close a session, or make or end another thing. */
  readonly #movers = new Map<string, string[]>();
  /** Nodes that end some things of a kind. */
  readonly #enders = new Map<string, string[]>();
  /** Facts at the end of nodes that were followed. */
  readonly #ended = new Map<string, FlowFacts>();

  constructor(list: CallList, dag: Dag, knowledge: Knowledge) {
    this.#dag = dag;
    this.#isIncomplete = list.incomplete;
    for (const call of inOrder(list, dag)) {
      const id = keyOf(call);
      if (this.effects.has(id)) continue;
      const effects = effectsOf([call], knowledge);
      this.effects.set(id, effects);
      for (const name of effects.defines) add(this.definers, name, id);
      const { opens, closes, makes, ends } = effects;
      for (const name of new Set([...opens, ...closes, ...makes, ...ends])) add(this.#movers, name, id);
      for (const kind of new Set([...effects.endsAll, ...effects.endsSome])) add(this.#enders, kind, id);
      if (effects.isOpen) this.#open.push(id);
      if (effects.addsEnvironment) this.#environment.push(id);
      for (const inner of effects.ids) this.#holder.set(inner, id);
    }
  }

  /** A node has been followed with facts of its own. */
  followed(id: string, known: FlowFacts): void {
    this.#ended.set(id, known);
  }

  /** A variable after the nodes that define it; of those that were not followed nothing is known. */
  #definedBy(ids: readonly string[], name: string): Variable {
    const made = ids.map((id) => this.#ended.get(id)?.own().get(name));
    const known = made.filter((each) => each !== undefined);
    return known.length === made.length && known.length > 0 ? eitherOf(known) : UNTYPED;
  }

  /** A variable as it is when all nodes have ended. */
  leaves(name: string): Variable {
    return this.#definedBy(this.definers.get(name) ?? [], name);
  }

  /** Sessions that nodes have moved, as they are when all nodes have ended. */
  sessionsAtEnd(): readonly (readonly [string, SessionFacts])[] {
    return [...this.#movers].flatMap(([name, movers]) => {
      const [last, facts] = this.#lastMove(name, () => true);
      if (last === undefined || facts === undefined) return [];
      const isOneOfSeveral = movers.some((id) => id !== last && !this.#dag.isBefore(id, last));
      return [[name, isOneOfSeveral ? { ...facts, opened: 2 } : facts] as const];
    });
  }

  /** View of a node: the variables and sessions from before the graph, and those of the nodes before it. */
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
      stepGap: (step) => this.#ended.get(this.#holder.get(step) ?? '')?.stepGap(step) ?? outer.stepGap(step),
      session: (name) => this.#session(name, outer, isBefore),
      sessions: () => [...outer.sessions(), ...this.#movers.keys()],
    };
  }

  /** A session as the last node before that moves it leaves it. */
  #session(name: string, outer: View, isBefore: (id: string) => boolean): SessionFacts {
    const [last, facts] = this.#lastMove(name, isBefore);
    const mayBeEnded = this.#enders.get(kindOf(name))?.some((id) => isBefore(id) && id !== last) ?? false;
    const found = facts ?? outer.session(name);
    return mayBeEnded && found.state !== 'never' && found.state !== 'closed' ? MAYBE : found;
  }

  #lastMove(name: string, isBefore: (id: string) => boolean): readonly [string?, SessionFacts?] {
    const movers = this.#movers.get(name) ?? [];
    let last: readonly [string, SessionFacts] | undefined;
    for (let index = movers.length - 1; index >= 0; index -= 1) {
      const id = movers[index] ?? '';
      const facts = isBefore(id) ? this.#ended.get(id)?.ownSession(name) : undefined;
      if (facts === undefined) continue;
      if (last === undefined) last = [id, facts];
      // Of two that wait for neither, either may have been the last.
      else if (facts.state !== last[1].state && !this.#dag.isBefore(id, last[0])) return [id, MAYBE];
      if (last[1].state === 'open') break;
    }
    return last ?? [];
  }
}

/** The nodes of a graph, each behind those that it depends on. */
export function inOrder({ calls }: CallList, dag: Dag): readonly Call[] {
  const rank = new Map(dag.order.map((id, index) => [id, index]));
  const rankOf = (call: Call): number => rank.get(keyOf(call)) ?? 0;
  return calls.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function add(lists: Map<string, string[]>, key: string, id: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [id]);
  else list.push(id);
}
