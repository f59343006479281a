import { endOfLine } from '#grammar/source/lines.ts';

import { placeIn } from './apply.ts';
import { columnOf, isFirstOnLine, nextLine, startOfLine } from '../line-layout.ts';
import type { Insertion } from './operations.ts';
import { LIST } from '../places.ts';
import type { PlaceId } from '../places.ts';
import type { Editing } from './editing.ts';
import { isCommentStart } from '../yaml/trivia.ts';

/** Removes and adds lines of an object or list in YAML's block style. Comments on lines of their own stay. */
export function blockStructure(
  editor: Editing,
  holder: PlaceId,
  removed: ReadonlySet<PlaceId>,
  insertions: readonly Insertion[],
): void {
  const children = [...editor.places.children(holder)];
  const kept = children.filter((child) => !removed.has(child));
  const indent = columnOf(editor.text, editor.begin(children[0] as PlaceId));
  if (kept.length === 0) return refill(editor, holder, insertions, indent);
  removeRuns(editor, children, removed);
  for (const insertion of insertions) {
    const member = editor.blockMember(holder, insertion, indent);
    const before = children.slice(placeIn(insertion.key, children.length)).find((child) => !removed.has(child));
    if (before === undefined) {
      const end = endOfLine(editor.text, editor.places.end(kept.at(-1) as PlaceId));
      editor.put(end, end, `\n${' '.repeat(indent)}${member}`);
    } else {
      editor.put(editor.begin(before), editor.begin(before), `${member}\n${' '.repeat(indent)}`);
    }
  }
}

function refill(editor: Editing, holder: PlaceId, insertions: readonly Insertion[], indent: number): void {
  if (insertions.length === 0) return editor.replace(holder, editor.places.kind(holder) === LIST ? [] : {});
  const lines = insertions.map((insertion) => editor.blockMember(holder, insertion, indent));
  editor.put(editor.places.start(holder), editor.places.end(holder), lines.join(`\n${' '.repeat(indent)}`));
}

function removeRuns(editor: Editing, children: readonly PlaceId[], removed: ReadonlySet<PlaceId>): void {
  for (let first = 0; first < children.length; first += 1) {
    if (!removed.has(children[first] as PlaceId)) continue;
    let next = first;
    while (next < children.length && removed.has(children[next] as PlaceId)) next += 1;
    removeLines(editor, children.slice(first, next), children[next]);
    first = next;
  }
}

/**
 * Whole lines, but for a run that begins behind a `-` on the line of another collection: there the next member moves
 * up.
 */
function removeLines(editor: Editing, run: readonly PlaceId[], following: PlaceId | undefined): void {
  const { text } = editor;
  const start = editor.begin(run[0] as PlaceId);
  if (isFirstOnLine(text, start) || following === undefined) {
    for (const child of run) removeOwnLines(editor, child);
    return;
  }
  const comment = firstComment(text, nextLine(text, editor.places.end(run[0] as PlaceId)), editor.begin(following));
  editor.put(start, comment ?? editor.begin(following), '');
}

function removeOwnLines(editor: Editing, child: PlaceId): void {
  editor.put(startOfLine(editor.text, editor.begin(child)), nextLine(editor.text, editor.places.end(child)), '');
}

function firstComment(text: string, from: number, to: number): number | undefined {
  for (let at = text.indexOf('#', from); at >= 0 && at < to; at = text.indexOf('#', at + 1)) {
    if (isCommentStart(text, at)) return at;
  }
  return undefined;
}
