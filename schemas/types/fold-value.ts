import type { Json } from './json.ts';
import type { Node, Value } from './plan.ts';
import type { Ref } from './reference.ts';

/** One answer for each form that a value of a plan can have. Lists and objects get what was made of their parts. */
export interface ValueForms<Made> {
  lit(literal: Json): Made;
  text(pieces: readonly (string | Ref)[]): Made;
  ref(ref: Ref, as: 'text' | 'json' | undefined): Made;
  list(parts: readonly Made[]): Made;
  map(entries: readonly (readonly [key: string, part: Made])[]): Made;
  /** Steps are no part of the value that holds them: who wants to go on into them does so by `walk-nodes.ts`. */
  block(nodes: readonly Node[]): Made;
}

/** Makes something of a value of a plan, parts first. All who look into values do it here. */
export function foldValue<Made>(value: Value, forms: ValueForms<Made>): Made {
  if ('lit' in value) return forms.lit(value.lit);
  if ('ref' in value) return forms.ref(value.ref, value.as);
  if ('text' in value) return forms.text(value.text);
  if ('list' in value) return forms.list(value.list.map((part) => foldValue(part, forms)));
  if ('map' in value) return forms.map(value.map.map(([key, part]) => [key, foldValue(part, forms)] as const));
  return forms.block(value.block);
}

const nothing = (): void => undefined;

/** Calls back for every reference of a value; those of steps inside are theirs. */
export function eachReference(value: Value, visit: (ref: Ref) => void): void {
  // Most values of a long file.
  if ('lit' in value) return;
  foldValue<void>(value, {
    lit: nothing,
    text: (pieces) => {
      for (const piece of pieces) if (typeof piece !== 'string') visit(piece);
    },
    ref: visit,
    list: nothing,
    map: nothing,
    block: nothing,
  });
}

/** The literal that a value is as a whole; undefined where it holds references or steps, or is absent. */
export function literalOf(value: Value | undefined): Json | undefined {
  return value !== undefined && 'lit' in value ? value.lit : undefined;
}

/** Whether a value is a list of steps. */
export function isBlock(value: Value | undefined): value is { readonly block: readonly Node[] } {
  return 'block' in (value ?? {});
}
