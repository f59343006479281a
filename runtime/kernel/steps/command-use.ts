import * as fail from '#schemas/generated/failures.ts';
import type { CommandFacts, Effect } from '#schemas/types/command.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Validate } from '#schemas/types/validation.ts';

import type { CommandView, UnitView } from '../contract.ts';
import type { Implementation, Linked, MakeFailure } from '../linked.ts';
import type { PortName } from '../ports.ts';

/** Effects that end with the process. */
const inside: ReadonlySet<Effect> = new Set(['pure', 'state', 'env', 'clock']);
/** Ports that each step gets of its own. */
const ownPorts: ReadonlySet<string> = new Set(['variables', 'references', 'executor', 'chance']);

/** A command as one unit uses it: loaded, with its ports open. Steps share it. */
export class CommandUse implements CommandView {
  readonly name: string;
  readonly facts: CommandFacts;
  /** Does something that outlives the process: records must be safe before it begins. */
  readonly outside: boolean;
  readonly ownPorts: readonly PortName[];
  /** Set once `open` has ended. */
  implementation: Implementation | undefined;
  readonly shared: { readonly name: PortName; readonly port: unknown }[] = [];
  /** Makes the failure of a result that says no, in the words that the declaration names. */
  makeFailure: MakeFailure | undefined;
  /** Checks parameters, where the command is called with references. */
  validate: Validate | undefined;
  #opening: Promise<Implementation> | undefined;
  readonly #linked: Linked;
  readonly #unit: UnitView;

  constructor(name: string, linked: Linked, unit: UnitView) {
    const facts = linked.facts[name];
    if (!facts || !linked.commands[name]) throw fail.commandNotLinked({ command: name });
    this.name = name;
    this.facts = facts;
    this.outside = facts.effects.some((effect) => !inside.has(effect));
    this.ownPorts = facts.needs.filter((need): need is PortName => ownPorts.has(need));
    this.#linked = linked;
    this.#unit = unit;
  }

  /** Loads the function and opens the ports; what failed is tried again by the next step. */
  open(): Promise<Implementation> {
    return (this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    }));
  }

  async #open(): Promise<Implementation> {
    const implementation = await this.#linked.commands[this.name]?.();
    if (!implementation) throw fail.commandNotLinked({ command: this.name });
    const shared: { name: PortName; port: unknown }[] = [];
    for (const need of this.facts.needs) {
      if (ownPorts.has(need)) continue;
      const name = need as PortName;
      shared.push({ name, port: await this.#openPort(name) });
    }
    this.shared.push(...shared);
    const { verdict } = this.facts;
    this.makeFailure = verdict && (await this.#linked.verdicts?.[verdict.message]?.());
    this.validate = await this.#linked.validators[this.name]?.();
    this.implementation = implementation;
    return implementation;
  }

  async #openPort(name: PortName): Promise<unknown> {
    try {
      return await this.#unit.port(name, this.#linked);
    } catch (cause) {
      if (cause instanceof Failure) throw cause;
      throw fail.portNotOpened({
        command: this.name,
        port: name,
        reason: cause instanceof Error ? cause.message : String(cause),
        cause,
      });
    }
  }
}
