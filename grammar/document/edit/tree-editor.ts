import type { TextEdit } from '#schemas/types/fix.ts';
import { isObject, type Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';
import { applyEdits } from '#grammar/source/edit.ts';

import { blockStructure } from './block-structure.ts';
import type { Editing } from './editing.ts';
import { flowStructure } from './flow-structure.ts';
import { columnOf, lineBreakOf, nextLine, reindent, startOfLine } from '../line-layout.ts';
import { changedText, findChange } from './operations.ts';
import type { Change, Insertion } from './operations.ts';
import { ALIASED, LIST, NOWHERE, SCALAR } from '../places.ts';
import type { PlaceId, Places } from '../places.ts';
import { blockEntry, blockItem, blockYaml, flowJson, flowYaml, printJson, printYaml, yamlText } from '../print.ts';
import { valueAt } from '../route.ts';
import type { TextDocument } from '../text-document.ts';
import { doubleQuoted, quoted } from '../yaml/quote.ts';

/** Above this many characters a value that replaces another is written over several lines. */
const LINE_WIDTH = 100;

/**
 * Makes text edits of changes to a tree, each as small as it can be: comments and layout around them stay. It knows the
 * usual layouts; `textEdits` reads the result again and takes a coarser way where that is not what was asked for.
 */
export class TreeEditor implements Editing {
  readonly text: string;
  readonly places: Places;
  readonly isYaml: boolean;
  readonly edits: TextEdit[] = [];
  readonly #document: TextDocument;
  readonly #changes: Change;

  constructor(document: TextDocument, changes: Change) {
    this.#document = document;
    this.#changes = changes;
    this.text = document.text;
    this.places = document.places;
    this.isYaml = document.format === 'yaml';
  }

  run(): readonly TextEdit[] {
    this.#value(0, this.#changes);
    return this.edits;
  }

  put(start: number, end: number, text: string): void {
    this.edits.push({
      span: { start, end },
      text: lineBreakOf(this.text) === '\n' ? text : text.replace(/\r?\n/g, '\r\n'),
    });
  }

  /** Whether an object or a list stands in brackets. */
  isFlow(id: PlaceId): boolean {
    return !this.isYaml || /[[{]/.test(this.text.charAt(this.places.start(id)));
  }

  /** Start of a member of an object or list: its key or the `?` of that, its `-`, or its value. */
  begin(id: PlaceId): number {
    const key = this.places.key(id)?.start;
    if (key === undefined) return this.places.propertiesStart(id);
    const mark = this.isYaml ? /\?[ \t]+$/.exec(this.text.slice(key - columnOf(this.text, key), key)) : null;
    return mark === null ? key : key - mark[0].length;
  }

  /** A new member of a flow collection. */
  flowMember(holder: PlaceId, insertion: Insertion): string {
    const value =
      'value' in insertion
        ? this.isYaml
          ? flowYaml(insertion.value)
          : flowJson(insertion.value)
        : this.#movedInline(insertion.from);
    return this.places.kind(holder) === LIST ? value : `${this.#key(String(insertion.key))}: ${value}`;
  }

  /** A new member of a block collection whose members begin in column `indent`. */
  blockMember(holder: PlaceId, insertion: Insertion, indent: number): string {
    const isList = this.places.kind(holder) === LIST;
    if (!('value' in insertion))
      return this.#movedBlock(isList ? '-' : `${yamlText(String(insertion.key))}:`, insertion.from, indent);
    return isList
      ? `- ${blockItem(insertion.value, indent + 2)}`
      : blockEntry(String(insertion.key), insertion.value, indent);
  }

  #value(id: PlaceId, change: Change): void {
    if (change.replacement !== undefined) return this.replace(id, change.replacement.value);
    const target = this.places.followed(id);
    if (change.texts.length > 0) return this.#replaceText(target, change);
    const removed = new Set<PlaceId>();
    for (const [step, below] of change.below) {
      const child = this.places.child(target, step);
      if (child === NOWHERE) throw new RangeError('A route of an operation leads nowhere.');
      if (below.isRemoved === true) {
        removed.add(child);
        continue;
      }
      if (below.renamed !== undefined) this.#rename(child, below.renamed);
      this.#value(child, below);
    }
    if (removed.size === 0 && change.insertions.length === 0) return;
    if (this.isFlow(target)) flowStructure(this, target, removed, change.insertions);
    else blockStructure(this, target, removed, change.insertions);
  }

  /** Writes another value where one stands. */
  replace(id: PlaceId, value: Json): void {
    const { places, text } = this;
    const start = places.propertiesStart(id);
    const end = places.end(id);
    if (!this.isYaml) return this.put(start, end, this.#json(value, start));
    const isScalar = typeof value !== 'object' || value === null;
    if (isScalar && places.kind(id) === SCALAR) return this.put(start, end, this.#scalar(id, value));
    const isBlock =
      places.kind(id) !== SCALAR && places.start(id) === start && !this.isFlow(id) && places.kind(id) !== ALIASED;
    const leadStart = this.#leadStart(id);
    const lead = text.slice(leadStart, start);
    const hasTail = /^[ \t]+#/.test(text.slice(end));
    const hasComment = lead.includes('#') || hasTail;
    const printed =
      isBlock && !(isScalar && hasComment) ? this.#block(id, value, columnOf(text, start)) : this.#inline(id, value);
    const isOneLine = isScalar || /^[[{]/.test(printed);
    // Between a comment above and one behind it may stay where it stands, if it stands further in than its key or dash.
    const stays = isScalar && lead.includes('#') && hasTail && columnOf(text, start) > columnOf(text, this.begin(id));
    if (!isBlock || !isOneLine || !/[\r\n]/.test(lead) || stays) return this.put(start, end, printed);
    // One line in the place of several: it moves up behind the colon or dash. Comments between the two stay where they are.
    if (lead.trim() === '') return this.put(leadStart, end, ` ${printed}`);
    this.put(leadStart, leadStart, ` ${printed}`);
    this.put(startOfLine(text, start), nextLine(text, end), '');
  }

  #block(id: PlaceId, value: Json, indent: number): string {
    const parent = this.places.parent(id);
    const isItem = parent !== NOWHERE && this.places.kind(parent) === LIST;
    return isItem ? blockItem(value, indent) : blockYaml(value, indent);
  }

  #leadStart(id: PlaceId): number {
    const key = this.places.key(id);
    return key === undefined ? this.places.propertiesStart(id) : key.end + (this.text.charAt(key.end) === ':' ? 1 : 0);
  }

  /** A list or object that takes the place of something on one line. */
  #inline(id: PlaceId, value: Json): string {
    const flow = flowYaml(value);
    const parent = this.places.parent(id);
    const isEmptyBefore = this.places.start(id) === this.places.end(id);
    const lead = isEmptyBefore ? ' ' : '';
    if (parent === NOWHERE || this.isFlow(parent)) return lead + flow;
    const indent = columnOf(this.text, this.begin(id)) + 2;
    const isItem = this.places.kind(parent) === LIST;
    if (isItem && isObject(value)) return lead + blockItem(value, indent);
    if (flow.length <= LINE_WIDTH) return lead + flow;
    if (isItem) return lead + blockYaml(value, indent);
    return `\n${printYaml(value, indent)}`;
  }

  #json(value: Json, at: number): string {
    const flow = flowJson(value);
    if (flow.length <= LINE_WIDTH) return flow;
    const indent = /^[ \t]*/.exec(this.text.slice(at - columnOf(this.text, at)))?.[0] ?? '';
    return printJson(value).replaceAll('\n', `\n${indent}`);
  }

  /** A scalar in the quotes of the one that it replaces. */
  #scalar(id: PlaceId, value: null | boolean | number | string): string {
    // Text behind a colon or a dash without a value needs a blank before it.
    const lead = this.places.start(id) === this.places.end(id) ? ' ' : '';
    if (typeof value !== 'string') return lead + flowJson(value);
    const mark = this.text.charAt(this.places.start(id));
    const block = /[|>]/.test(mark) ? blockYaml(value, columnOf(this.text, this.begin(id)) + 2) : '';
    if (block.includes('\n')) return block;
    if (mark === '"') return doubleQuoted(value);
    if (mark === "'" && !/[\r\n]/.test(value) && !quoted(value.replaceAll('"', '')).includes('\\'))
      return `'${value.replaceAll("'", "''")}'`;
    return lead + yamlText(value);
  }

  #rename(id: PlaceId, name: string): void {
    const key = this.places.key(id);
    if (key === undefined) throw new RangeError('Only members of objects have keys to rename.');
    const mark = this.text.charAt(key.start);
    this.put(
      key.start,
      key.end,
      this.isYaml && mark !== '"'
        ? mark === "'"
          ? `'${name.replaceAll("'", "''")}'`
          : yamlText(name)
        : doubleQuoted(name),
    );
  }

  #key(name: string): string {
    return this.isYaml ? yamlText(name) : doubleQuoted(name);
  }

  /** Parts of a text in place where they stand there as they are; else the whole text anew. */
  #replaceText(id: PlaceId, change: Change): void {
    const old = valueAt(this.#document.value, change.route);
    if (typeof old !== 'string') throw new RangeError('Only a text has parts to replace.');
    const isVerbatim = change.texts.every(({ from, to, text }) => {
      const span = this.#document.spanAt(change.route, [from, to]);
      return (
        /^[\w ./${}@%+=-]*$/.test(text + old.slice(from, to)) &&
        this.text.slice(span.start, span.end) === old.slice(from, to)
      );
    });
    if (!isVerbatim) return this.replace(id, changedText(old, change.texts));
    for (const { from, to, text } of change.texts) {
      const span = this.#document.spanAt(change.route, [from, to]);
      this.put(span.start, span.end, text);
    }
  }

  /** The text of a value that moves, with what changes inside of it; on one line where it goes into brackets. */
  #movedInline(from: Route): string {
    const { id, slice } = this.#moved(from);
    const isFlow = this.places.kind(id) === SCALAR || this.places.kind(id) === ALIASED || this.isFlow(id);
    if (!this.isYaml || (isFlow && !/[\r\n]/.test(slice))) return slice;
    return flowYaml(valueAt(this.#document.value, from) ?? null);
  }

  #movedBlock(lead: string, from: Route, indent: number): string {
    const { id, slice } = this.#moved(from);
    const start = this.places.start(id);
    const isBlock = this.places.kind(id) !== SCALAR && !this.isFlow(id);
    const comment = /^[ \t]+#[^\r\n]*/.exec(this.text.slice(this.places.end(id)))?.[0] ?? '';
    if (!isBlock) return `${lead} ${reindent(slice, indent - columnOf(this.text, this.begin(id)))}${comment}`;
    const shifted = reindent(slice, indent + 2 - columnOf(this.text, start));
    const isProperties = this.places.propertiesStart(id) !== start;
    return lead === '-' || isProperties
      ? `${lead} ${shifted}${comment}`
      : `${lead}\n${' '.repeat(indent + 2)}${shifted}${comment}`;
  }

  #moved(from: Route): { readonly id: PlaceId; readonly slice: string } {
    const { id, steps } = this.places.find(from);
    const change = findChange(this.#changes, from);
    if (steps < from.length || change === undefined) throw new RangeError('A route to move from leads nowhere.');
    const inner = new TreeEditor(this.#document, this.#changes);
    inner.#value(id, change);
    const start = this.places.propertiesStart(id);
    const edits = inner.edits.map(({ span, text }) => ({
      span: { start: span.start - start, end: span.end - start },
      text,
    }));
    return { id, slice: applyEdits(this.text.slice(start, this.places.end(id)), edits) };
  }
}
