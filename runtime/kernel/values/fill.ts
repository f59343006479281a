import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import { foldValue } from '#schemas/types/fold-value.ts';
import type { Node, Value } from '#schemas/types/plan.ts';
import type { Ref } from '#schemas/types/reference.ts';

import { convert, inText, readScalar, unreadable, writeScalar } from './convert.ts';
import { isOutsideText, lookup } from './lookup.ts';
import { Missing, pathText } from './path.ts';
import { Unknown, type Filling, type Surroundings } from './surroundings.ts';
import { typeName } from './type-name.ts';
import { scalarOf, whatIsThere } from './what-is-there.ts';

/** Makes what a command gets for a list of steps. */
export type MakeBlock = (nodes: readonly Node[]) => unknown;

/**
 * The value that a plan's value has at this moment. Throws a failure where a reference has none. When `filling.waiting`
 * is there afterwards, wait for it and fill again.
 */
export function fill(value: Value, at: Surroundings, filling: Filling, block: MakeBlock): unknown {
  return foldValue<unknown>(value, {
    lit: (literal) => literal,
    text(pieces) {
      filling.dynamic = true;
      return joined(pieces, at, filling);
    },
    ref(ref, as) {
      filling.dynamic = true;
      return whole(ref, as, at, filling);
    },
    list: (parts) => parts,
    map: filledMap,
    block,
  });
}

/** A text with references in it. One that holds a secret is remembered with that piece hidden. */
function joined(parts: readonly (string | Ref)[], at: Surroundings, filling: Filling): string {
  let text = '';
  let shown = '';
  for (const part of parts) {
    const piece = typeof part === 'string' ? part : valueOf(part, at, filling);
    const written = piece instanceof Unknown ? `<${String(piece.$unknown)}>` : inText(piece);
    text += written;
    shown += typeof part === 'string' ? written : (filling.secrets?.get(piece) ?? written);
  }
  if (shown !== text) filling.addSecret(text, shown);
  return text;
}

function filledMap(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of entries) {
    if (key === '__proto__')
      Object.defineProperty(result, key, { value, enumerable: true, configurable: true, writable: true });
    else result[key] = value;
  }
  return result;
}

function whole(ref: Ref, as: 'text' | 'json' | undefined, at: Surroundings, filling: Filling): unknown {
  const value = valueOf(ref, at, filling);
  if (value instanceof Unknown) return value;
  if (as === 'text') return writeScalar(value);
  if (as !== 'json' || ref.convert !== undefined) return value;
  // A default is text too.
  return isOutsideText(ref, at) || (ref.default !== undefined && lookup(ref, at, filling) instanceof Missing)
    ? readScalar(value)
    : value;
}

/** The value of a reference with its default and conversion. */
export function valueOf(ref: Ref, at: Surroundings, filling: Filling): unknown {
  const found = lookup(ref, at, filling);
  if (found instanceof Unknown) return found;
  if (found instanceof Missing && ref.default === undefined) throw notThere(ref, found, at);
  const value = found instanceof Missing ? ref.default : found;
  if (ref.convert === undefined || filling.waiting) return value;
  const read = convert(value, ref.convert);
  if (read === unreadable)
    throw fail.valueNotConvertible({ reference: nameOf(ref), type: typeName(value), conversion: ref.convert });
  if (filling.secrets?.has(value)) filling.addSecret(read);
  return read;
}

function notThere(ref: Ref, missing: Missing, at: Surroundings): Failure {
  switch (ref.ns) {
    case 'ENV':
    case 'env':
      return fail.environmentKeyMissing({ key: ref.name });
    case 'ROW':
      return missing.before === 'row'
        ? fail.rowColumnMissing({ column: ref.name, row: at.row?.number ?? 0 })
        : pathMissing(missing);
    case 'event':
      return at.event
        ? fail.eventLacks({ name: ref.name, type: at.event['type'] ?? '' })
        : fail.eventOutside({ name: ref.name });
    default:
      if (missing.before === 'the variables') return fail.variableUnset({ name: ref.name });
      return missing.before === 'steps' ? fail.stepNotRun({ id: missing.piece }) : pathMissing(missing);
  }
}

function pathMissing(missing: Missing): Failure {
  const { piece, before } = missing;
  return fail.valuePathMissing({ piece, path: before, help: whatIsThere(missing), ...scalarOf(missing) });
}

/** A reference as people write it, without default. */
export function nameOf(ref: Ref): string {
  const path = pathText(ref.name, ref.path ?? []);
  switch (ref.ns) {
    case 'var':
      return `{{${path}}}`;
    case 'ENV':
    case 'ROW':
    case 'MATRIX':
    case 'event':
    case 'run':
      return `\${${ref.ns}.${path}}`;
    default:
      return ref.name === '' ? `\${${ref.ns}}` : `\${${ref.ns}:${ref.name}}`;
  }
}
