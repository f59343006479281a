import type { Json, JsonObject } from '#schemas/types/json.ts';

import { printLiteral } from '../reference/print.ts';
import { isSecretName, keepsAll, type Credentials } from './request.ts';

/** Variables inside of variables: deeper ones lead in a circle. */
const DEEPEST = 16;
const reserved = new Set(['run', 'steps', 'result', 'last_response', 'true', 'false', 'null', 'not']);

export interface VariableRules {
  /** Values that the file gives, with variables inside. */
  readonly known: ReadonlyMap<string, string>;
  /** Names that the file says are secret. */
  readonly secret?: ReadonlySet<string>;
  /**
   * Text for a name that the other program fills by itself; undefined: it is no such name, null: there is no
   * counterpart.
   */
  readonly builtIn?: (name: string) => string | null | undefined;
}

/** Translates `{{name}}` of another program into references, and says which inputs they ask for. */
export class Variables {
  readonly #rules: VariableRules;
  readonly #credentials: Credentials;
  readonly #captured = new Map<string, string>();
  readonly #inputs = new Map<string, { readonly name: string; bare: boolean }>();

  constructor(rules: VariableRules, credentials: Credentials) {
    this.#rules = rules;
    this.#credentials = credentials;
  }

  /** Names a variable that a step stores from here on; yields the name that it has here. */
  capture(name: string): string {
    const own = identifier(name);
    this.#captured.set(name, own);
    return own;
  }

  /** A text with its variables as references, and everything else meaning itself. */
  text(raw: string, lost: string[], depth = 0): string {
    let text = '';
    let at = 0;
    for (const match of raw.matchAll(/\{\{([^{}]*)\}\}/g)) {
      text += printLiteral(raw.slice(at, match.index)) + this.#reference((match[1] ?? '').trim(), lost, { depth });
      at = match.index + match[0].length;
    }
    return text + printLiteral(raw.slice(at));
  }

  /** The JSON of a text in which variables may stand bare as values; undefined: it is none. */
  json(raw: string, lost: string[]): Json | undefined {
    if (!/^\s*[[{]/.test(raw)) return undefined;
    const bare = new Set<string>();
    try {
      const text = quotedVariables(raw, bare);
      const value = JSON.parse(text) as Json;
      // A value that the other program makes is text here: in place of a number it can stand in a text only.
      if ([...bare].some((name) => this.#rules.builtIn?.(name)?.startsWith('${'))) return undefined;
      if (isDeep(value) || !keepsAll(text, value)) return undefined;
      return this.#filled(value, lost, bare);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** `meta.inputs`: what the texts so far ask for. */
  inputs(): JsonObject {
    const lost: string[] = [];
    return Object.fromEntries(
      [...this.#inputs.values()].map(({ name, bare }) => {
        const value = this.#rules.known.get(name);
        return [identifier(name), value === undefined ? (bare ? {} : { type: 'string' }) : inputOf(value, bare, lost)];
      }),
    );
  }

  #filled(value: Json, lost: string[], bare: ReadonlySet<string>): Json {
    if (typeof value === 'string') {
      const name = /^\{\{([^{}]*)\}\}$/.exec(value)?.[1]?.trim();
      return name !== undefined && bare.has(name)
        ? this.#reference(name, lost, { depth: 0, bare: true })
        : this.text(value, lost);
    }
    if (Array.isArray(value)) return value.map((item: Json) => this.#filled(item, lost, bare));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, this.#filled(item ?? null, lost, bare)]),
    );
  }

  #reference(
    name: string,
    lost: string[],
    { depth, bare = false }: { readonly depth: number; readonly bare?: boolean },
  ): string {
    const captured = this.#captured.get(name);
    if (captured !== undefined) return `{{${captured}}}`;
    const builtIn = this.#rules.builtIn?.(name);
    if (builtIn === null) lost.push(`the value "{{${name}}}" is made by the other program, and has no counterpart`);
    if (builtIn === null) return printLiteral(`{{${name}}}`);
    if (builtIn !== undefined) return builtIn;
    const known = this.#rules.known.get(name);
    // A reference to something else is no secret, whatever its name.
    if (known !== undefined && /^\{\{[^{}]*\}\}$/.test(known) && depth < DEEPEST)
      return this.text(known, lost, depth + 1);
    if (this.#rules.secret?.has(name) || isSecretName(name)) return this.#credentials.reference(name);
    if (known?.includes('{{') && depth < DEEPEST) return this.text(known, lost, depth + 1);
    const input = this.#inputs.get(name) ?? { name, bare: false };
    input.bare ||= bare;
    this.#inputs.set(name, input);
    return `{{${identifier(name)}}}`;
  }
}

function inputOf(value: string, bare: boolean, lost: string[]): JsonObject {
  void lost;
  const json =
    bare && /^(?:-?(?:0|[1-9]\d{0,14})(?:\.\d{1,8})?|true|false)$/.test(value) ? (JSON.parse(value) as Json) : value;
  return { type: typeof json, default: json };
}

/** A name that references take. */
export function identifier(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|_+$/g, '');
  return plain === '' || /^\d/.test(plain) || reserved.has(plain) ? `v_${plain}` : plain;
}

/** JSON text with variables that stand outside of texts in quotes; their names go to `bare`. */
function quotedVariables(raw: string, bare: Set<string>): string {
  return raw.replace(/"(?:[^"\\]|\\.)*"|\{\{([^{}"]*)\}\}/gs, (whole, name: string | undefined) => {
    if (name === undefined) return whole;
    bare.add(name.trim());
    return JSON.stringify(whole);
  });
}

/** Whether a value is nested deeper than an action file may be. */
function isDeep(value: Json): boolean {
  let level: readonly Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > 200) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
