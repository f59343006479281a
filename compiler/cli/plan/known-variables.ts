import { foldValue } from '#schemas/types/fold-value.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';
import type { Node, Plan, Value } from '#schemas/types/plan.ts';
import type { Ref } from '#schemas/types/reference.ts';
import { everyNode } from '#schemas/types/walk-nodes.ts';

/** A value as it is known before a run; undefined where only a run can know it. */
type Known = { readonly json: Json; readonly isFilled: boolean } | undefined;

/** Variables that steps have set from literals, step after step in the order of a list. */
export class KnownVariables {
  readonly #commands: Plan['commands'];
  readonly #values: Map<string, Json>;

  constructor(commands: Plan['commands'], values: ReadonlyMap<string, Json> = new Map()) {
    this.#commands = commands;
    this.#values = new Map(values);
  }

  /** Copy for steps inside: what they set may not have been set afterwards. */
  copy(): KnownVariables {
    return new KnownVariables(this.#commands, this.#values);
  }

  /** A value whose references are all known; undefined also where it has none. */
  resolved(value: Value): Json | undefined {
    const known = this.#known(value);
    return known?.isFilled === true ? known.json : undefined;
  }

  /** A step has ended: what it sets from a literal is known, what else it writes is not any more. */
  pass(node: Node): void {
    const parameter = this.#commands[node.command]?.sets;
    const value = parameter === undefined ? undefined : node.args[parameter];
    const known = value === undefined || node.when !== undefined ? undefined : this.#known(value);
    this.forget([node]);
    const [name] = variablesOf(node);
    if (known !== undefined && name !== undefined) this.#values.set(name, known.json);
    for (const capture of node.save_as ?? []) this.#values.delete(capture.name);
  }

  /** Nothing is known of what these steps, or steps inside, write. */
  forget(nodes: readonly Node[]): void {
    for (const node of everyNode(nodes)) for (const name of variablesOf(node)) this.#values.delete(name);
  }

  #known(value: Value): Known {
    return foldValue<Known>(value, {
      lit: (json) => ({ json, isFilled: false }),
      text: (pieces) => {
        const texts = pieces.map((piece) => (typeof piece === 'string' ? piece : this.#textOf(piece)));
        return texts.every((text) => text !== undefined) ? { json: texts.join(''), isFilled: true } : undefined;
      },
      ref: (ref) => {
        const json = this.#valueOf(ref);
        return json === undefined ? undefined : { json, isFilled: true };
      },
      list: (parts) =>
        parts.every((part) => part !== undefined)
          ? { json: parts.map(({ json }) => json), isFilled: parts.some(({ isFilled }) => isFilled) }
          : undefined,
      map: (entries) => {
        const known = entries.flatMap(([key, part]) => (part === undefined ? [] : [[key, part] as const]));
        if (known.length < entries.length) return undefined;
        const json = Object.fromEntries(known.map(([key, part]) => [key, part.json]));
        return { json, isFilled: known.some(([, part]) => part.isFilled) };
      },
      block: () => undefined,
    });
  }

  #textOf(ref: Ref): string | undefined {
    const value = this.#valueOf(ref);
    return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
  }

  #valueOf({ ns, name, path = [], convert }: Ref): Json | undefined {
    if (ns !== 'var' || convert !== undefined) return undefined;
    let value = this.#values.get(name);
    for (const piece of path) {
      if (isList(value)) value = typeof piece === 'number' ? value[piece] : undefined;
      else value = isObject(value) && Object.hasOwn(value, String(piece)) ? value[String(piece)] : undefined;
    }
    return value;
  }
}

function variablesOf({ provides = [] }: Node): readonly string[] {
  return provides.filter((each) => each.startsWith('variable:')).map((each) => each.slice('variable:'.length));
}
