import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';
import { RESERVED } from '#schemas/types/reserved-names.ts';

import type { Call, RunView } from '../contract.ts';
import type { Variables } from '../ports.ts';
import type { Scope } from '../scope.ts';

const given = new Set(RESERVED);

/** The variable store as one call of a command may use it. */
export class StepVariables implements Variables {
  readonly #scope: Scope;
  readonly #run: RunView;
  readonly #call: Call;

  constructor(scope: Scope, run: RunView, call: Call) {
    this.#scope = scope;
    this.#run = run;
    this.#call = call;
  }

  get(name: string): Json | undefined {
    return this.#scope.find(name)?.value as Json | undefined;
  }

  has(name: string): boolean {
    return this.#scope.find(name) !== undefined;
  }

  set(name: string, value: Json, options: { readonly secret?: boolean; readonly reserved?: boolean } = {}): void {
    if (this.#call.abandoned) throw fail.attemptOver();
    if (given.has(name) && !options.reserved) throw fail.variableReserved({ name });
    if (options.secret) this.#run.masker.add(value);
    this.#scope.define(name, value, options);
  }

  clear(): void {
    if (this.#call.abandoned) throw fail.attemptOver();
    this.#scope.clear();
  }

  all(): Readonly<Record<string, Json>> {
    const all: Record<string, Json> = {};
    for (const name of this.#scope.names()) {
      const value = this.get(name);
      if (value !== undefined) all[name] = value;
    }
    return all;
  }
}
