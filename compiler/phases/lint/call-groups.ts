import type { Callable } from '#schemas/types/command.ts';
import type { Node } from '#schemas/types/plan.ts';

import type { CallGroups, Field, ResolvedCall } from './rule.ts';

/** The groups are made when they are first asked for, once for all rules. */
export class GroupedCalls implements CallGroups {
  readonly #calls: readonly ResolvedCall[];
  #byCommand: ReadonlyMap<Callable, readonly ResolvedCall[]> | undefined;
  #byField: ReadonlyMap<string, ResolvedCall[]> | undefined;
  #holding: readonly ResolvedCall[] | undefined;
  #byId: ReadonlyMap<string, ResolvedCall> | undefined;

  constructor(calls: readonly ResolvedCall[]) {
    this.#calls = calls;
  }

  /** The calls of the commands that are wanted, command by command. */
  readonly of = (wants: (info: Callable) => boolean): readonly ResolvedCall[] => {
    this.#byCommand ??= Map.groupBy(this.#calls, ({ info }) => info);
    const found: (readonly ResolvedCall[])[] = [];
    for (const [info, calls] of this.#byCommand) if (wants(info)) found.push(calls);
    const [only = [], second] = found;
    return second === undefined ? only : found.flat();
  };

  /** The calls that have a field, in the order in which they stand. */
  readonly having = (field: Field): readonly ResolvedCall[] =>
    (this.#byField ??= groupedByField(this.#calls)).get(field) ?? [];

  /** The calls that hold steps, in the order in which they stand. */
  readonly holding = (): readonly ResolvedCall[] => (this.#holding ??= this.#calls.filter((call) => call.holdsSteps));

  /** The call of a node. */
  readonly byId = (id: string): ResolvedCall | undefined =>
    (this.#byId ??= new Map(this.#calls.map((call) => [call.node.id, call]))).get(id);
}

/** Fields that every call has: nobody asks for the calls that have them. */
const OF_ALL: ReadonlySet<string> = new Set(['args', 'command', 'id']);

function groupedByField(calls: readonly ResolvedCall[]): ReadonlyMap<string, ResolvedCall[]> {
  const groups = new Map<string, ResolvedCall[]>();
  for (const call of calls)
    for (const field in call.node) {
      if (OF_ALL.has(field) || call.node[field as keyof Node] === undefined) continue;
      const group = groups.get(field);
      if (group === undefined) groups.set(field, [call]);
      else group.push(call);
    }
  return groups;
}
