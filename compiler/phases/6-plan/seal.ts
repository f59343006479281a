import type { CommandFacts } from '#schemas/types/command.ts';
import type { Digest } from '#schemas/types/host.ts';
import type { Plan, Unit } from '#schemas/types/plan.ts';

import { canonicalJson } from './canonical.ts';

/** A plan in its final form. */
export interface SealedPlan {
  readonly plan: Plan;
  /** Canonical JSON: what is hashed, written and linked. */
  readonly text: string;
  /** SHA-256 of the text, in hex. */
  readonly hash: string;
}

export interface Sealable {
  readonly unit: Unit;
  readonly commands: ReadonlyMap<string, CommandFacts>;
}

/** Seals units, dependencies first. The same units give the same bytes on every machine. */
export function seal(units: readonly Sealable[], digest: (algorithm: string) => Digest | undefined): SealedPlan {
  const commands = new Map(units.flatMap((unit) => [...unit.commands]));
  const names = [...commands.keys()].sort();
  const ports = new Set(units.flatMap(({ unit }) => unit.needs.ports));
  const plan: Plan = {
    version: 1,
    units: units.map(({ unit }) => unit),
    commands: Object.fromEntries(
      names.flatMap((name) => {
        const facts = commands.get(name);
        // Paths of this machine alone need no storage, whatever the command could be given.
        return facts === undefined ? [] : [[name, { ...facts, needs: facts.needs.filter((port) => ports.has(port)) }]];
      }),
    ),
  };
  const text = canonicalJson(plan);
  const sha = digest('sha256');
  if (sha === undefined) throw new Error('the host has no SHA-256');
  sha.update(new TextEncoder().encode(text));
  return { plan, text, hash: sha.hex() };
}
