import type { Callable } from '#schemas/types/command.ts';

import type { CallGroups, Field, ResolvedCall } from './rule.ts';

/** The groups are made when they are first asked for, once for all rules. */
export class GroupedCalls implements CallGroups {
  readonly #calls: readonly ResolvedCall[];
  #byCommand: ReadonlyMap<Callable, readonly ResolvedCall[]> | undefined;
  readonly #byField = new Map<Field, readonly ResolvedCall[]>();
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
  readonly having = (field: Field): readonly ResolvedCall[] => {
    const known = this.#byField.get(field);
    if (known !== undefined) return known;
    const found = this.#calls.filter(({ node }) => (node as NodeFields)[field] !== undefined);
    this.#byField.set(field, found);
    return found;
  };

  /** The calls that hold steps, in the order in which they stand. */
  readonly holding = (): readonly ResolvedCall[] => (this.#holding ??= this.#calls.filter((call) => call.holdsSteps));

  /** The call of a node. */
  readonly byId = (id: string): ResolvedCall | undefined =>
    (this.#byId ??= new Map(this.#calls.map((call) => [call.node.id, call]))).get(id);
}

type NodeFields = Readonly<Partial<Record<Field, unknown>>>;
