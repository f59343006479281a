import { findSecrets, type SecretRule } from '#grammar/secret/find-secrets.ts';
import { secretPreview } from '#grammar/secret/secret-preview.ts';
import { linesOf } from '#grammar/source/lines.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

/** Finding of a text that looks like a secret; shows a few characters of it at most. */
export interface Finding {
  /** Path in the value, such as `[0][1].headers.token`; empty for a text that stands alone. */
  readonly path: string;
  readonly rule: SecretRule;
  readonly preview: string;
}

export interface PlacedFinding extends Finding {
  /** Number of the line, from 1. */
  readonly line: number;
  readonly column: number;
}

export interface RoutedFinding extends Finding {
  readonly route: Route;
  /** The whole text, or UTF-16 offsets in it. */
  readonly part: 'value' | readonly [from: number, to: number];
}

/** Names under which a number is a password too, and under which each of a list is one; a command is no name. */
const isPassword = /^(?!(?:AT|FA|WR)_).*(?:password|passwd|passphrase)s?$/i;

/** Findings in all texts of a value, in the order of the value. Keys are not looked into. */
export function secretsInValue(value: unknown): readonly RoutedFinding[] {
  const found: RoutedFinding[] = [];
  // A value of a hostile file may be deeper than the stack.
  const waiting: { readonly value: Json; readonly route: Route; readonly key?: string }[] = [
    { value: value as Json, route: [] },
  ];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value: here, route, key } = next;
    if (typeof here === 'string') {
      for (const { rule, start, end } of findSecrets(here, key))
        found.push({
          route,
          part: end - start === here.length ? 'value' : [start, end],
          path: pathOf(route),
          rule,
          preview: secretPreview(here.slice(start, end)),
        });
    } else if (typeof here === 'number' && isPassword.test(key ?? '')) {
      const preview = secretPreview(String(here));
      found.push({ route, part: 'value', path: pathOf(route), rule: 'password_literal', preview });
    } else if (Array.isArray(here)) {
      const named = isPassword.test(key ?? '') ? { key: key ?? '' } : {};
      for (let index = here.length - 1; index >= 0; index -= 1)
        waiting.push({ value: here[index] ?? null, route: [...route, index], ...named });
    } else if (typeof here === 'object' && here !== null) {
      for (const [name, entry] of Object.entries(here).toReversed())
        waiting.push({ value: entry, route: [...route, name], key: name });
    }
  }
  return found;
}

/** Findings in a text of any form, with their places. */
export function secretsInText(text: string): PlacedFinding[] {
  const lines = linesOf(text);
  return findSecrets(text).map(({ rule, start, end }) => ({
    path: '',
    rule,
    preview: secretPreview(text.slice(start, end)),
    ...lines.position(start),
  }));
}

function pathOf(route: Route): string {
  return route
    .map((piece, index) => (typeof piece === 'number' ? `[${piece}]` : index === 0 ? piece : `.${piece}`))
    .join('');
}
