import type { Callable } from '#schemas/types/command.ts';
import type { Node } from '#schemas/types/plan.ts';

import type { CallGroups, Field, ResolvedCall } from './rule.ts';

const FIELDS: readonly Field[] = [
  'after',
  'expect',
  'kind',
  'name',
  'provides',
  'retry',
  'save_as',
  'tags',
  'timeout_s',
  'when',
];

/** The groups are made when they are first asked for, once for all rules. */
export class GroupedCalls implements CallGroups {
  readonly #calls: readonly ResolvedCall[];
  #byCommand: ReadonlyMap<Callable, readonly ResolvedCall[]> | undefined;
  #byField: ReadonlyMap<Field, readonly ResolvedCall[]> | undefined;
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
  readonly having = (field: Field): readonly ResolvedCall[] => (this.#byField ??= this.#fields()).get(field) ?? [];

  /** The call of a node. */
  readonly byId = (id: string): ResolvedCall | undefined =>
    (this.#byId ??= new Map(this.#calls.map((call) => [call.node.id, call]))).get(id);

  #fields(): ReadonlyMap<Field, readonly ResolvedCall[]> {
    const found = new Map<Field, ResolvedCall[]>(FIELDS.map((field) => [field, []]));
    for (const call of this.#calls) {
      const node: Node = call.node;
      // Fields that are not there take no time.
      for (const name in node) found.get(name as Field)?.push(call);
    }
    return found;
  }
}
