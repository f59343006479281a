import { endOfLine } from '#grammar/source/lines.ts';

import { columnOf, isFirstOnLine } from '../line-layout.ts';
import { placeIn } from './apply.ts';
import type { Insertion } from './operations.ts';
import type { PlaceId } from '../places.ts';
import type { Editing } from './editing.ts';

/** Removes and adds members of an object or list in brackets (JSON, or YAML's flow style), with their commas. */
export function flowStructure(
  editor: Editing,
  holder: PlaceId,
  removed: ReadonlySet<PlaceId>,
  insertions: readonly Insertion[],
): void {
  const { places } = editor;
  const children = [...places.children(holder)];
  const kept = children.filter((child) => !removed.has(child));
  if (kept.length === 0) return refill(editor, holder, insertions);
  removeRuns(editor, children, removed);
  const ofLayout = kept[0] as PlaceId;
  const divider = isFirstOnLine(editor.text, editor.begin(ofLayout))
    ? `,\n${' '.repeat(columnOf(editor.text, editor.begin(ofLayout)))}`
    : ', ';
  const tail: string[] = [];
  for (const insertion of insertions) {
    const member = editor.flowMember(holder, insertion);
    const before = children.slice(placeIn(insertion.key, children.length)).find((child) => !removed.has(child));
    if (before === undefined) tail.push(member);
    else editor.put(editor.begin(before), editor.begin(before), member + divider);
  }
  if (tail.length > 0)
    append(editor, places.end(kept.at(-1) as PlaceId), kept.at(-1) === children.at(-1), divider, tail);
}

/** Adds members at the end; a comment behind the member that was the last one stays with that. */
function append(editor: Editing, end: number, isLast: boolean, divider: string, members: readonly string[]): void {
  const lineEnd = endOfLine(editor.text, end);
  const hasComment = editor.isYaml && isLast && /^[ \t]*,?[ \t]+#/.test(editor.text.slice(end, lineEnd));
  if (!hasComment || !divider.includes('\n')) return editor.put(end, end, divider + members.join(divider));
  if (editor.text.charAt(end) !== ',') editor.put(end, end, ',');
  editor.put(lineEnd, lineEnd, divider.slice(1) + members.join(divider));
}

/** Everything between the brackets anew. */
function refill(editor: Editing, holder: PlaceId, insertions: readonly Insertion[]): void {
  const [start, end] = [editor.places.start(holder) + 1, editor.places.end(holder) - 1];
  const pad = editor.isYaml && editor.text.charAt(start - 1) === '{' && insertions.length > 0 ? ' ' : '';
  editor.put(start, end, pad + insertions.map((insertion) => editor.flowMember(holder, insertion)).join(', ') + pad);
}

/** A run of removed members goes with the commas behind it; the last run with the comma before it. */
function removeRuns(editor: Editing, children: readonly PlaceId[], removed: ReadonlySet<PlaceId>): void {
  for (let first = 0; first < children.length; first += 1) {
    if (!removed.has(children[first] as PlaceId)) continue;
    let next = first;
    while (next < children.length && removed.has(children[next] as PlaceId)) next += 1;
    const following = children[next];
    if (following !== undefined) editor.put(editor.begin(children[first] as PlaceId), editor.begin(following), '');
    else
      editor.put(
        editor.places.end(children[first - 1] as PlaceId),
        editor.places.end(children[next - 1] as PlaceId),
        '',
      );
    first = next;
  }
}
