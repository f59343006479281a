import type { Ref, RefConversion, RefNamespace } from '#schemas/types/reference.ts';
import type { Problem } from '#grammar/language/problem.ts';

export type ReferenceProblemKey =
  | 'not-closed'
  | 'too-long'
  | 'unknown-kind'
  | 'name-missing'
  | 'unexpected'
  | 'unknown-conversion'
  | 'no-conversion'
  | 'no-default'
  | 'nested'
  | 'unknown-member'
  | 'unreadable';
export interface ReferenceProblem extends Problem<ReferenceProblemKey> {
  /** The reference with its braces, of one whose kind is unknown, and what stands in them. */
  readonly whole?: { readonly from: number; readonly to: number; readonly inside: string };
}

/**
 * A text with references. `parts` holds what was understood; a broken reference stands there as the text that it is.
 */
export interface ParsedText {
  readonly parts: readonly (string | Ref)[];
  readonly problems: readonly ReferenceProblem[];
}

export const CONVERSIONS: readonly RefConversion[] = ['bool', 'int', 'json', 'number'];
export const EVENT_MEMBERS: readonly string[] = ['dest', 'dir', 'name', 'path', 'stem', 'type'];
export const RUN_MEMBERS: readonly string[] = ['date', 'id', 'tmp'];
/** Kinds as people write them, for suggestions. */
export const KINDS: readonly string[] = [
  'ENV.',
  'MATRIX.',
  'ROW.',
  'cwd',
  'date',
  'date:',
  'env:',
  'event.',
  'file:',
  'here',
  'root',
  'run.',
  'uuid',
  'uuid:v4',
];

const BARE: readonly RefNamespace[] = ['cwd', 'date', 'here', 'root', 'uuid'];

/** Kinds that stand alone in their braces. */
export function isBare(kind: string): kind is 'cwd' | 'date' | 'here' | 'root' | 'uuid' {
  return (BARE as readonly string[]).includes(kind);
}

const SUFFIXED: readonly RefNamespace[] = ['ENV', 'ROW', 'MATRIX', 'env', 'file', 'event', 'var'];

/** Whether a value of the kind can be unset, so that a default has a meaning, and is text that a suffix can convert. */
export function takesSuffix(kind: RefNamespace): boolean {
  return SUFFIXED.includes(kind);
}

/**
 * Characters that a reference may have at most, with its marks. A name of a variable may be each beginning of its path.
 */
export const MOST_LENGTH = 2000;

/** A name or step that needs no quotes. */
export const IDENTIFIER = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_$-]{0,1999}`;
