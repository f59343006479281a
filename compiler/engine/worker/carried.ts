import { Scope } from '#runtime/kernel/scope.ts';

import type { CarriedVariable } from './protocol.ts';
import { canCross } from './wire.ts';

/** The variables of some units as they cross to another process: of one name, those of the later unit. */
export function carriedFrom(scopes: readonly Scope[]): readonly CarriedVariable[] {
  const carried = new Map<string, CarriedVariable>();
  for (const scope of scopes) {
    for (const name of scope.names()) {
      const entry = scope.find(name);
      // The last response belongs to the unit that asked; sessions and elements are no values.
      if (!entry || name === 'last_response' || !canCross(entry.value)) continue;
      carried.set(name, { name, value: entry.value, secret: entry.secret, text: entry.text });
    }
  }
  return [...carried.values()];
}

export function scopeOf(variables: readonly CarriedVariable[]): Scope {
  const scope = new Scope();
  for (const { name, value, secret, text } of variables) scope.define(name, value, { secret, text });
  return scope;
}
