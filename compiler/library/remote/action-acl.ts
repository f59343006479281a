import { catalogue } from '#compiler/catalogue.ts';
import { AccessList } from '#runtime/servers/access-list.ts';
import { powerfulOf } from '#runtime/servers/tools.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';

/** Names of commands that may run, and of those that may not; `*` stands for any characters. */
export interface ActionRules {
  /** These alone; null: all but those that start programs or servers; empty: none. */
  readonly allowed: readonly string[] | null;
  /** Wins over `allowed`. */
  readonly denied: readonly string[];
}

/**
 * An access list for command names, with the rules of the action servers: `*` stands for any characters, `denied` wins.
 */
export class ActionACL implements ActionRules {
  readonly allowed: readonly string[] | null;
  readonly denied: readonly string[];
  readonly #access: AccessList;

  private constructor({ allowed, denied }: ActionRules, powerful: ReadonlySet<string>) {
    this.allowed = allowed && Object.freeze([...allowed]);
    this.denied = Object.freeze([...denied]);
    this.#access = new AccessList({ allowed: this.allowed, denied: this.denied }, powerful);
    Object.freeze(this);
  }

  /** Makes a list. `allowed`: these alone; null: all but those that start programs or servers; empty: none. */
  static async build({
    allowed = null,
    denied = null,
  }: {
    readonly allowed?: readonly string[] | null;
    readonly denied?: readonly string[] | null;
  } = {}): Promise<ActionACL> {
    // Loaded here, since it brings the compiler along.
    const { servedCommands } = await import('#compiler/engine/callers/action-calls.ts');
    const powerful = powerfulOf(await servedCommands());
    return new this({ allowed, denied: denied ?? [] }, powerful);
  }

  /** Whether a command may run. */
  is_allowed(name: string): boolean {
    return this.#access.allows(name);
  }

  /** Throws ActionNotPermittedException for the first command in an action list, at any depth, that may not run. */
  enforce(payload: Json): void {
    for (const name of commandsIn(payload))
      if (!this.#access.allows(name)) throw fail.actionNotPermitted({ action: name });
  }
}

/**
 * Names that call a command where they stand, and first words of lists that nobody knows: those are refused by name,
 * too.
 */
function* commandsIn(value: Json): Generator<string> {
  if (isList(value)) {
    const [first] = value;
    if (typeof first === 'string' && isCall(first)) yield first;
    for (const item of value) yield* commandsIn(item);
  } else if (isObject(value))
    for (const [key, item] of Object.entries(value)) {
      if (isCall(key)) yield key;
      yield* commandsIn(item ?? null);
    }
}

function isCall(text: string): boolean {
  return /^(?:WR|AT|FA)_/.test(text) || catalogue.get(text) !== undefined;
}
