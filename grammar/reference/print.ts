import type { Route } from '#schemas/types/place.ts';
import type { Ref } from '#schemas/types/reference.ts';
import { latePattern } from '#grammar/language/late-pattern.ts';
import { quote } from '#grammar/language/quoted.ts';

import { IDENTIFIER, isBare } from './ast.ts';

/** A text of literals and references as it is written in an action file: `parseText` reads the same parts from it. */
export function printText(parts: readonly (string | Ref)[]): string {
  let printed = '';
  let literal = '';
  for (const part of parts) {
    // Neighbours are escaped as one text: a mark may begin in one and end in the next.
    if (typeof part === 'string') {
      literal += part;
    } else {
      printed += printLiteral(literal) + printReference(part);
      literal = '';
    }
  }
  return printed + printLiteral(literal);
}

/** A literal text with what would begin a reference escaped. */
export function printLiteral(text: string): string {
  return text.replace(/\$\{|\{\{/g, (mark) => (mark === '${' ? '$${' : '\\{{'));
}

/** One reference with its braces. */
export function printReference(ref: Ref): string {
  const { ns, name } = ref;
  const suffix =
    (ref.convert === undefined ? '' : `:${ref.convert}`) + (ref.default === undefined ? '' : `:-${ref.default}`);
  if (ns === 'var') return `{{${printPath([name, ...(ref.path ?? [])])}${suffix}}}`;
  if (ns === 'date' || ns === 'uuid') return name === '' ? `\${${ns}}` : `\${${ns}:${name}}`;
  if (isBare(ns)) return `\${${ns}}`;
  const divider = ns === 'env' || ns === 'file' ? ':' : '.';
  return `\${${ns}${divider}${name}${suffix}}`;
}

const plain = latePattern(`^${IDENTIFIER}$`, 'u');

/** `name.path[0]["x y"]`. */
export function printPath(path: Route): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (plain().test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${quote(step)}]`;
  }
  return text;
}
