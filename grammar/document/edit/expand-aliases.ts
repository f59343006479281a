import { endOfLine } from '#grammar/source/lines.ts';
import { addAll } from '#grammar/source/add-all.ts';
import type { TextEdit } from '#schemas/types/fix.ts';

import { columnOf, reindent } from '../line-layout.ts';
import { ALIASED, LIST, NOWHERE, SCALAR, type PlaceId } from '../places.ts';
import { flowYaml } from '../print.ts';
import { valueAt } from '../route.ts';
import type { TextDocument } from '../text-document.ts';

import type { Change } from './operations.ts';

/** Copies may make a text that many times longer, and no more. */
const MOST_LONGER = 8;

/**
 * Edits that write the text of what it stands for in the place of each alias of something that changes, so that a
 * change in one place does not change the others: of those alone that changes lead through, or of all. Comments inside,
 * above the first line and behind the last one are copied too. Empty where there is no such alias, or where copies
 * would be too long.
 */
export function expandAliases(document: TextDocument, changes: Change, which: 'through' | 'all'): readonly TextEdit[] {
  const { places, text } = document;
  const changed = new Set<PlaceId>();
  const through = new Set<PlaceId>();
  gather(document, 0, changes, { changed, through });
  const edits: TextEdit[] = [];
  let length = 0;
  for (let id: PlaceId = 0; id < places.count; id += 1) {
    if (places.kind(id) !== ALIASED || isKey(document, id)) continue;
    if (which === 'through' && !through.has(id)) continue;
    const target = places.followed(id);
    const [start, end] = [places.start(target), places.end(target)];
    if (![...changed].some((one) => places.start(one) >= start && places.end(one) <= end)) continue;
    const copies = copyOf(document, id, target);
    for (const edit of copies) length += edit.text.length;
    if (length > text.length * MOST_LONGER) return [];
    addAll(edits, copies);
  }
  return edits;
}

interface Gathered {
  /** The values that change themselves, where they stand. */
  readonly changed: Set<PlaceId>;
  /** Aliases that lead to them. */
  readonly through: Set<PlaceId>;
}

function gather(document: TextDocument, id: PlaceId, change: Change, found: Gathered): void {
  const { places } = document;
  const target = places.followed(id);
  if (target !== id) found.through.add(id);
  if (change.texts.length > 0 || change.insertions.length > 0) found.changed.add(target);
  for (const [step, below] of change.below) {
    const child = places.child(target, step);
    if (child === NOWHERE) continue;
    if (below.isRemoved || below.renamed !== undefined || below.replacement) found.changed.add(target);
    if (!below.isRemoved && !below.replacement) gather(document, child, below, found);
  }
}

function isKey({ places }: TextDocument, id: PlaceId): boolean {
  return places.parent(id) === NOWHERE;
}

function copyOf(document: TextDocument, id: PlaceId, target: PlaceId): readonly TextEdit[] {
  const { places, text } = document;
  const span = { start: places.propertiesStart(id), end: places.end(id) };
  const parent = places.parent(id);
  const slice = text.slice(places.start(target), places.end(target));
  const isInFlow = parent !== NOWHERE && /[[{]/.test(text.charAt(places.start(parent)));
  const isBlock = places.kind(target) !== SCALAR && !/[[{]/.test(text.charAt(places.start(target)));
  if (!isBlock && !/[\r\n]/.test(slice)) return [{ span, text: slice }];
  if (isInFlow || !isBlock) return [{ span, text: flowYaml(valueAt(document.value, places.route(id)) ?? null) }];
  const from = columnOf(text, places.start(target));
  if (places.kind(parent) === LIST) return [{ span, text: reindent(slice, columnOf(text, span.start) - from) }];
  const whole = slice + commentBehind(text, places.end(target));
  // Behind a key it goes below it; a comment there stays behind the key.
  const indent = columnOf(text, places.key(id)?.start ?? span.start) + 2;
  const lineEnd = endOfLine(text, span.end);
  const comment = text.slice(span.end, lineEnd).trim();
  const lead = comment === '' ? '' : ` ${comment}`;
  const before = /[ \t]*$/.exec(text.slice(0, span.start))?.[0].length ?? 0;
  const above = commentsAbove(text, places.propertiesStart(target), places.start(target));
  const lines = [...above, reindent(whole, indent - from)].map((line) => `\n${' '.repeat(indent)}${line}`);
  return [{ span: { start: span.start - before, end: lineEnd }, text: lead + lines.join('') }];
}

/** Comments on lines of their own between the line of an anchor and what it names. */
function commentsAbove(text: string, anchor: number, start: number): readonly string[] {
  const from = endOfLine(text, anchor);
  return from < start ? (text.slice(from, start).match(/#[^\r\n]*/g) ?? []) : [];
}

function commentBehind(text: string, end: number): string {
  return /^[ \t]+#[^\r\n]*/.exec(text.slice(end, endOfLine(text, end)))?.[0] ?? '';
}
