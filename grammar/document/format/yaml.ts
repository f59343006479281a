import type { Comment } from '../document.ts';
import { ALIASED, LIST, SCALAR } from '../places.ts';
import type { PlaceId, Places } from '../places.ts';
import type { TextDocument } from '../text-document.ts';
import { doubleQuoted } from '../yaml/quote.ts';
import { columnIn, Comments } from './comments.ts';
import { continued, isBlockText, moved, onOneLine } from './scalar.ts';

/**
 * YAML in the one style. Two blanks a level, lists inside objects too; at most one empty line between things; what
 * stands in brackets takes one line where it fits the width, else it becomes a block, or, as an element of a list,
 * brackets over several lines. Block texts, plain texts and numbers stay as they are written. Lines of the text end
 * with `\n`.
 */
export function formatYaml(document: TextDocument, width: number): string {
  return new YamlPrinter(document, width).print();
}

/**
 * Form of a printed value: on the line, over lines of its own, as a block below, or in brackets over several
 * lines.
 */
type Layout =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'lines' }
  | { readonly kind: 'block' }
  | { readonly kind: 'brackets' };

/** Place of a member of a block. */
interface Place {
  /** Text on its line in front of it: blanks, or the `- ` of what holds it. */
  readonly lead: string;
  readonly indent: number;
  /** Its column in the text as it was; where it stood in brackets, none. */
  readonly column: number;
}

class YamlPrinter {
  readonly #text: string;
  readonly #places: Places;
  readonly #comments: Comments;
  readonly #width: number;
  readonly #lines: string[] = [];
  /** End, in the text, of what was printed last. */
  #last = 0;
  /** Nothing was printed since a block was opened, so that no empty line belongs here. */
  #isFresh = true;

  constructor(document: TextDocument, width: number) {
    this.#text = document.text;
    this.#places = document.places;
    this.#comments = new Comments(document.text, document.comments());
    this.#width = width;
  }

  print(): string {
    this.#head();
    const properties = this.#properties(0);
    if (this.#layout(0, 0, false).kind !== 'block') {
      this.#commentsBefore(this.#places.start(0), 0);
      this.#value(0, '', { lead: '', indent: -2, column: -2 });
    } else {
      if (properties !== '') {
        this.#commentsBefore(this.#places.propertiesStart(0), 0);
        this.#put(properties, this.#places.propertiesStart(0));
      }
      this.#block(0, 0, '');
    }
    this.#commentsBefore(Infinity, 0);
    return `${this.#lines.join('\n')}\n`;
  }

  /** Directives and `---`, where they are written. */
  #head(): void {
    const head = this.#text.slice(0, this.#places.propertiesStart(0));
    const mark = /^---(?=\s|$)/m.exec(head)?.index;
    if (mark === undefined) return;
    for (const [line] of head.slice(0, mark).matchAll(/^%.*/gm)) this.#lines.push(line.replace(/\s+#.*/, '').trimEnd());
    this.#commentsBefore(mark, 0);
    this.#put('---', mark + 3);
  }

  /** A collection in block style; `lead` stands on the line of its first member already. */
  #block(id: PlaceId, indent: number, lead: string): void {
    const isFlow = this.#isFlow(id);
    const children = this.#places.children(id);
    const first = children[0] ?? id;
    const column = isFlow ? Infinity : columnIn(this.#text, this.#places.key(first)?.start ?? this.#places.start(id));
    if (lead === '') this.#isFresh = true;
    for (const [index, child] of children.entries())
      this.#member(child, { lead: index === 0 && lead !== '' ? lead : ' '.repeat(indent), indent, column });
    if (isFlow) this.#commentsBefore(this.#places.end(id), indent);
    this.#last = Math.max(this.#last, this.#places.end(id));
    for (let next = this.#comments.closing(column, this.#last); next; next = this.#comments.closing(column, this.#last))
      this.#comment(next, indent);
  }

  /** An element with its `-`, or a key with its value. */
  #member(id: PlaceId, place: Place): void {
    const { lead, indent } = place;
    const isElement = this.#isElement(id);
    const head = lead + (isElement ? '-' : `${this.#key(id)}:`);
    const layout = this.#layout(id, head.length + 1, isElement);
    const isLineStart = lead.trim() === '';
    if (isLineStart) {
      if (this.#comments.isIn(0, this.#places.end(id)))
        this.#commentsBefore(this.#quietUntil(id, { ...place, lead: head }, layout), indent);
      this.#gap(this.#begin(id));
    }
    if (layout.kind !== 'block') return this.#value(id, head, place, layout);
    const behind = this.#isFlow(id) && !this.#comments.isIn(0, this.#places.end(id)) ? this.#places.end(id) : undefined;
    const properties = this.#properties(id);
    if (isElement && properties === '') {
      const comment = behind === undefined || !isLineStart ? undefined : this.#comments.behind(behind);
      if (comment) this.#lines.push(' '.repeat(indent) + this.#written(comment));
      return this.#block(id, indent + 2, `${head} `);
    }
    const from = isElement ? this.#places.propertiesStart(id) : (this.#places.key(id)?.end ?? 0);
    this.#put(properties === '' ? head : `${head} ${properties}`, from, this.#begin(this.#first(id)));
    const comment = behind === undefined ? undefined : this.#comments.behind(behind);
    if (comment) this.#append(comment);
    this.#block(id, indent + 2, '');
  }

  /** Comments in front of this offset stand above the line, because nothing on it can hold them. */
  #quietUntil(id: PlaceId, { lead, indent, column }: Place, layout: Layout): number {
    if (layout.kind !== 'block') return this.#places.start(id);
    if (!this.#isElement(id)) return this.#begin(id);
    if (this.#properties(id) !== '') return this.#places.propertiesStart(id);
    const first = this.#first(id);
    const isElement = this.#isElement(first);
    const head = `${lead} ${isElement ? '-' : `${this.#key(first)}:`}`;
    const inner = this.#layout(first, head.length + 1, isElement);
    return this.#quietUntil(first, { lead: head, indent: indent + 2, column }, inner);
  }

  /** Prints a value that is no block: a scalar or brackets. */
  #value(id: PlaceId, head: string, place: Place, layout = this.#layout(id, head.length + 1, true)): void {
    if (layout.kind === 'line') return this.#put(joined(head, layout.text), this.#places.end(id));
    if (layout.kind === 'lines') return this.#scalar(id, head, place, '');
    this.#brackets(id, head, place.indent + 2, '');
  }

  #scalar(id: PlaceId, head: string, { indent, column }: Place, tail: string): void {
    const { start, end } = this.#places.value(id);
    const written = this.#text.slice(start, end);
    const isBlock = isBlockText(written);
    const own = Math.max(indent + 2, 0);
    const lines = isBlock ? moved(written, column, own) : continued(written, own);
    const keeps = /^[|>]\d?\+/.test(written);
    // Empty lines at its end are no part of it, unless it says so.
    while (!keeps && lines.at(-1) === '') lines.pop();
    const prefix = this.#properties(id);
    const [first = '', ...more] = lines;
    this.#lines.push(joined(head, prefix === '' ? first : `${prefix} ${first}`), ...more);
    if (tail !== '') this.#lines.push((this.#lines.pop() ?? '') + tail);
    this.#last = keeps ? end : start + written.trimEnd().length;
    this.#isFresh = false;
    if (!isBlock) return this.#trailing(end);
    while (this.#comments.before(end));
    if (keeps) this.#keepEmptyLines(end);
  }

  /** Empty lines that are part of a block text. */
  #keepEmptyLines(end: number): void {
    let at = end;
    for (;;) {
      const next = this.#text.indexOf('\n', at + 1);
      if (next < 0 || this.#text.slice(at, next).trim() !== '') break;
      this.#lines.push('');
      at = next;
    }
    this.#last = Math.max(this.#last, at + 1);
  }

  /** Brackets over several lines, inside of which nothing is a block. `indent` is that of the closing one. */
  #brackets(id: PlaceId, head: string, indent: number, tail: string): void {
    const [open, close] = this.#places.kind(id) === LIST ? ['[', ']'] : ['{', '}'];
    const { start, end } = this.#places.value(id);
    const properties = this.#properties(id);
    const children = this.#places.children(id);
    const limit = children.length === 0 ? end : this.#begin(this.#first(id));
    this.#put(joined(head, properties === '' ? open : `${properties} ${open}`), start, limit);
    this.#isFresh = true;
    for (const [index, child] of children.entries()) {
      this.#commentsBefore(this.#places.start(child), indent + 2);
      this.#gap(this.#begin(child));
      this.#inBrackets(child, indent + 2, index < children.length - 1 ? ',' : '');
    }
    this.#commentsBefore(end, indent + 2);
    this.#put(' '.repeat(indent) + close + tail, end);
  }

  #inBrackets(id: PlaceId, indent: number, comma: string): void {
    const key = this.#isElement(id) ? '' : `${this.#key(id)}:`;
    const head = ' '.repeat(indent) + key;
    const flat = this.#flat(id, this.#width - head.length - 2);
    if (flat !== undefined) this.#put(joined(head, flat) + comma, this.#places.end(id));
    else if (this.#places.kind(id) === SCALAR) this.#scalar(id, head, { lead: '', indent, column: 0 }, comma);
    else this.#brackets(id, head, indent, comma);
  }

  /** Layout of a value that begins in column `from`. */
  #layout(id: PlaceId, from: number, isElement: boolean): Layout {
    const kind = this.#places.kind(id);
    if (kind === SCALAR || kind === ALIASED) {
      const text = this.#flat(id, Infinity, true);
      return text === undefined ? { kind: 'lines' } : { kind: 'line', text };
    }
    if (!this.#isFlow(id)) return { kind: 'block' };
    const isEmpty = this.#places.children(id).length === 0;
    const text = this.#flat(id, this.#width - from);
    if (text !== undefined) return { kind: 'line', text };
    return isEmpty || (isElement && kind === LIST) ? { kind: 'brackets' } : { kind: 'block' };
  }

  /**
   * A value on one line, brackets where it is a collection; undefined where it takes more than `room`, or a line of its
   * own.
   */
  #flat(id: PlaceId, room: number, isBlock = false): string | undefined {
    const kind = this.#places.kind(id);
    const { start, end } = this.#places.value(id);
    const properties = this.#properties(id);
    const lead = properties === '' ? '' : `${properties} `;
    if (kind === SCALAR || kind === ALIASED) {
      const written = onOneLine(this.#text.slice(start, end));
      if (written === undefined || isBlockText(written)) return undefined;
      return written === '' ? properties || (isBlock ? '' : 'null') : lead + written;
    }
    if (this.#comments.isIn(start, end)) return undefined;
    const isList = kind === LIST;
    const children = this.#places.children(id);
    if (children.length === 0) return lead + (isList ? '[]' : '{}');
    let left = room - lead.length - (isList ? 2 : 4);
    const pieces: string[] = [];
    for (const child of children) {
      const key = isList ? '' : `${this.#key(child)}: `;
      const value = left < 0 ? undefined : this.#flat(child, left - key.length);
      if (value === undefined) return undefined;
      left -= key.length + value.length + (pieces.length === 0 ? 0 : 2);
      if (left < 0) return undefined;
      pieces.push(key + value);
    }
    return lead + (isList ? `[${pieces.join(', ')}]` : `{ ${pieces.join(', ')} }`);
  }

  #isElement(id: PlaceId): boolean {
    return this.#places.kind(this.#places.parent(id)) === LIST;
  }

  /** Whether a collection is written in brackets. */
  #isFlow(id: PlaceId): boolean {
    const unit = this.#text.charCodeAt(this.#places.start(id));
    return unit === 91 || unit === 123;
  }

  #first(id: PlaceId): PlaceId {
    return this.#places.children(id)[0] ?? id;
  }

  /** Start of a member: its key or `-`; in brackets its value. */
  #begin(id: PlaceId): number {
    return this.#places.key(id)?.start ?? this.#places.propertiesStart(id);
  }

  /** A key as it is written, its anchor too. */
  #key(id: PlaceId): string {
    const span = this.#places.key(id);
    if (span === undefined) return '';
    const text = this.#text.slice(span.start, span.end);
    // A tag alone is a key too, that of an empty text.
    const written = text === '' ? '""' : (onOneLine(text) ?? doubleQuoted(this.#places.keyText(id)));
    const before = / /.test(this.#text.charAt(span.start - 1)) ? keyProperties(this.#text, span.start) : '';
    return before + (written.startsWith('*') ? `${written} ` : written);
  }

  /** The anchor and the tag of a value, without comments between them. */
  #properties(id: PlaceId): string {
    const [from, to] = [this.#places.propertiesStart(id), this.#places.start(id)];
    if (from >= to) return '';
    const words = this.#text
      .slice(from, to)
      .replace(/(?<=^|\s)#.*/g, '')
      .split(/\s+/);
    return words.filter((word) => word !== '').join(' ');
  }

  /** Prints a line that ends what ends at `end` in the text, with the comment behind it. */
  #put(line: string, end: number, limit?: number): void {
    this.#lines.push(line);
    this.#last = end;
    this.#isFresh = false;
    this.#trailing(end, limit);
  }

  #trailing(end: number, limit?: number): void {
    const comment = this.#comments.behind(end, limit);
    if (comment) this.#append(comment);
  }

  #append(comment: Comment): void {
    this.#lines.push(`${this.#lines.pop() ?? ''} ${this.#written(comment)}`);
    this.#last = comment.span.end;
  }

  #written({ span }: Comment): string {
    return this.#text.slice(span.start, span.end).trimEnd();
  }

  #comment(comment: Comment, indent: number): void {
    this.#gap(comment.span.start);
    this.#lines.push(' '.repeat(indent) + this.#written(comment));
    this.#last = comment.span.end;
    this.#isFresh = false;
  }

  #commentsBefore(offset: number, indent: number): void {
    for (let next = this.#comments.before(offset); next; next = this.#comments.before(offset))
      this.#comment(next, indent);
  }

  /** One empty line where the text has any in front of `offset`. */
  #gap(offset: number): void {
    if (!this.#isFresh && /\n[ \t]*\n/.test(this.#text.slice(this.#last, offset))) this.#lines.push('');
  }
}

function joined(head: string, text: string): string {
  if (text === '') return head;
  return head.trim() === '' ? head + text : `${head} ${text}`;
}

/** Anchor and tag before the key at a place, each with one blank behind it, looked for from the key backwards. */
function keyProperties(text: string, start: number): string {
  const found: string[] = [];
  for (let end = start; ;) {
    let behind = end;
    while (text[behind - 1] === ' ') behind -= 1;
    let begin = behind;
    while (begin > 0 && !/[\s,[\]{}]/.test(text[begin - 1] ?? '')) begin -= 1;
    if (behind === end || !/[&!]/.test(text[begin] ?? '') || begin === behind) break;
    found.push(`${text.slice(begin, behind)} `);
    end = begin;
  }
  return found.toReversed().join('');
}
