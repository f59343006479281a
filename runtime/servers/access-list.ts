/** Rules about which commands a caller may run. Names may hold `*` for any characters. */
export interface AccessRules {
  /** Null: all but those that must be allowed by name. Empty: none. */
  readonly allowed: readonly string[] | null;
  /** Wins over `allowed`. */
  readonly denied: readonly string[];
}

/** Decides about commands by name. */
export class AccessList {
  readonly #above: AccessList | undefined;
  readonly #rules: AccessRules;
  readonly #powerful: ReadonlySet<string>;

  /**
   * `powerful`: commands that start programs or servers. Only their own name, without `*`, allows them.
   * `above`: a list that must allow a command too.
   */
  constructor(rules: AccessRules, powerful: ReadonlySet<string>, above?: AccessList) {
    this.#rules = rules;
    this.#above = above;
    this.#powerful = powerful;
  }

  allows(command: string): boolean {
    if (this.#above?.allows(command) === false) return false;
    const { allowed, denied } = this.#rules;
    if (denied.some((pattern) => fits(pattern, command))) return false;
    if (this.#powerful.has(command)) return allowed?.includes(command) === true;
    return allowed === null || allowed.some((pattern) => fits(pattern, command));
  }
}

/**
 * Whether a name fits a pattern in which `*` stands for any characters: each piece is looked for behind the one before.
 */
function fits(pattern: string, name: string): boolean {
  const pieces = pattern.split('*');
  const [first = '', ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
