import { COLLECTION_STYLE, EVENT_ID, getScalarValue } from 'js-yaml';
import type { Event, ScalarEvent } from 'js-yaml';

import { ALIASED, LIST, NOWHERE, OBJECT, Places, SCALAR } from '../places.ts';
import type { PlaceId } from '../places.ts';
import { endOfCollection } from './open-collection.ts';
import { skipTrivia } from './trivia.ts';
import { propertiesEnd, propertiesStart, scalarSpan } from './span.ts';

/** The places of a YAML text, and the event of each that is a scalar, by its number. */
export interface YamlPlaces {
  readonly places: Places;
  readonly scalars: readonly (ScalarEvent | undefined)[];
}

/** An open collection. */
interface Open {
  readonly id: PlaceId;
  readonly isList: boolean;
  readonly isFlow: boolean;
  last: PlaceId;
  expectsKey: boolean;
  keyStart: number;
  keyEnd: number;
  key: string;
}

/**
 * Finds out what events do not say: where collections end, where the `-` of elements and empty values stand. `cursor`
 * is the end of the last token. Only the first document counts.
 */
export function yamlPlaces(text: string, events: readonly Event[]): YamlPlaces {
  return new PlaceBuilder(text).build(events);
}

class PlaceBuilder {
  readonly #text: string;
  readonly #keys: string[] = [];
  readonly #places: Places = new Places((id) => this.#keys[id] ?? '');
  readonly #scalars: (ScalarEvent | undefined)[] = [];
  readonly #anchors = new Map<string, PlaceId>();
  readonly #stack: Open[] = [];
  #cursor = 0;

  constructor(text: string) {
    this.#text = text;
  }

  build(events: readonly Event[]): YamlPlaces {
    let documents = 0;
    for (let index = 0; index < events.length; index += 1) {
      const event = events[index] as Event;
      if (event.type === EVENT_ID.DOCUMENT && (documents += 1) > 1) break;
      if (event.type === EVENT_ID.POP) this.#close();
      else if (event.type !== EVENT_ID.DOCUMENT) index = this.#node(events, event, index);
    }
    return { places: this.#places, scalars: this.#scalars };
  }

  #node(events: readonly Event[], event: Exclude<Event, { readonly type: 1 | 6 }>, index: number): number {
    const holder = this.#stack.at(-1);
    this.#toNode(holder);
    if (holder?.expectsKey === true) return this.#key(holder, events, event, index);
    if (event.type === EVENT_ID.SCALAR) this.#scalar(event, holder);
    else if (event.type === EVENT_ID.ALIAS) this.#alias(event.anchorStart, event.anchorEnd, holder);
    else this.#open(event, holder);
    return index;
  }

  /** Moves over what stands before a node: blanks, comments, `,`, `-`, `?` and `:`. */
  #toNode(holder: Open | undefined): void {
    if (holder === undefined) return;
    const from = skipTrivia(this.#text, this.#cursor, holder.isFlow);
    const mark = this.#text.charCodeAt(from);
    const isMark = isBlank(this.#text.charCodeAt(from + 1)) || holder.isFlow;
    if (holder.isList) {
      if (!holder.isFlow && mark === 45) {
        holder.keyStart = from;
        holder.keyEnd = this.#cursor = from + 1;
      }
      return;
    }
    if (holder.expectsKey ? mark === 63 && isMark : mark === 58) this.#cursor = from + 1;
  }

  #key(holder: Open, events: readonly Event[], event: Exclude<Event, { readonly type: 1 | 6 }>, index: number): number {
    holder.expectsKey = false;
    let end = index;
    if (event.type === EVENT_ID.SCALAR) {
      const span = this.#scalarSpan(event);
      this.#anchor(event, NOWHERE);
      holder.key = event.fast ? this.#text.slice(event.valueStart, event.valueEnd) : getScalarValue(this.#text, event);
      holder.keyStart = span.start;
      holder.keyEnd = this.#cursor = span.end;
    } else if (event.type === EVENT_ID.ALIAS) {
      holder.key = this.#aliasedKey(this.#text.slice(event.anchorStart, event.anchorEnd));
      holder.keyStart = event.anchorStart - 1;
      holder.keyEnd = this.#cursor = event.anchorEnd;
    } else {
      // No text: reported by the composer. Its range only has to be near.
      end = endOfCollection(events, index);
      holder.key = '';
      holder.keyStart = event.start;
      this.#cursor = lastEnd(events, index, end, event.start + 1);
      while (/[\s,\]}]/.test(this.#text.charAt(this.#cursor)) && this.#text.charCodeAt(this.#cursor) !== 58)
        this.#cursor += 1;
      holder.keyEnd = this.#cursor;
    }
    return end;
  }

  #scalar(event: ScalarEvent, holder: Open | undefined): void {
    const span = this.#scalarSpan(event);
    const id = this.#add(SCALAR, span.start, holder);
    this.#places.setEnd(id, span.end);
    this.#places.setProperties(id, event.anchorStart < 0 && event.tagStart < 0 ? span.start : propertiesStart(event));
    this.#scalars[id] = event;
    this.#anchor(event, id);
    this.#cursor = span.end;
  }

  #alias(anchorStart: number, anchorEnd: number, holder: Open | undefined): void {
    const id = this.#add(ALIASED, anchorStart - 1, holder);
    this.#places.setEnd(id, anchorEnd);
    const target = this.#anchors.get(this.#text.slice(anchorStart, anchorEnd));
    if (target !== undefined && target !== NOWHERE) this.#places.setAlias(id, target);
    this.#cursor = anchorEnd;
  }

  #open(event: Extract<Event, { readonly type: 2 | 3 }>, holder: Open | undefined): void {
    const isList = event.type === EVENT_ID.SEQUENCE;
    const id = this.#add(isList ? LIST : OBJECT, event.start, holder);
    this.#places.setEnd(id, event.start + 1);
    this.#places.setProperties(id, event.anchorStart < 0 && event.tagStart < 0 ? event.start : propertiesStart(event));
    this.#anchor(event, id);
    const isFlow = event.style === COLLECTION_STYLE.FLOW;
    const mark = this.#text.charCodeAt(event.start);
    this.#cursor = isFlow && (mark === 91 || mark === 123) ? event.start + 1 : event.start;
    this.#stack.push({ id, isList, isFlow, last: NOWHERE, expectsKey: !isList, keyStart: -1, keyEnd: -1, key: '' });
  }

  #close(): void {
    const open = this.#stack.pop();
    if (open === undefined) return;
    const start = this.#places.start(open.id);
    const closing = this.#text.charCodeAt(start) === 91 ? 93 : 125;
    if (open.isFlow && (this.#text.charCodeAt(start) === 91) === open.isList) {
      let at = skipTrivia(this.#text, this.#cursor, true);
      if (this.#text.charCodeAt(at) === 58) at = skipTrivia(this.#text, at + 1, true);
      if (this.#text.charCodeAt(at) === closing) this.#cursor = at + 1;
    }
    this.#places.setEnd(open.id, Math.max(this.#cursor, start));
  }

  #add(
    kind: typeof SCALAR | typeof OBJECT | typeof LIST | typeof ALIASED,
    start: number,
    holder: Open | undefined,
  ): PlaceId {
    const id = this.#places.add(
      kind,
      holder?.id ?? NOWHERE,
      holder?.last ?? NOWHERE,
      start,
      holder?.keyStart ?? -1,
      holder?.keyEnd ?? -1,
    );
    this.#keys.push(holder?.key ?? '');
    this.#scalars.push(undefined);
    if (holder === undefined) return id;
    holder.last = id;
    holder.keyStart = holder.keyEnd = -1;
    holder.expectsKey = !holder.isList;
    return id;
  }

  #scalarSpan(event: ScalarEvent): { readonly start: number; readonly end: number } {
    const from = Math.max(this.#cursor, propertiesEnd(event));
    return event.valueStart < 0 ? { start: from, end: from } : scalarSpan(this.#text, event, from);
  }

  #anchor(event: Extract<Event, { readonly type: 2 | 3 | 4 }>, id: PlaceId): void {
    if (event.anchorStart >= 0) this.#anchors.set(this.#text.slice(event.anchorStart, event.anchorEnd), id);
  }

  #aliasedKey(name: string): string {
    const event = this.#scalars[this.#anchors.get(name) ?? NOWHERE];
    return event === undefined ? '' : getScalarValue(this.#text, event);
  }
}

function isBlank(unit: number): boolean {
  return Number.isNaN(unit) || unit === 32 || unit === 9 || unit === 10 || unit === 13;
}

function lastEnd(events: readonly Event[], from: number, to: number, least: number): number {
  let end = least;
  for (const event of events.slice(from, to + 1)) {
    if (event.type === EVENT_ID.SCALAR) end = Math.max(end, event.valueEnd);
    else if (event.type === EVENT_ID.ALIAS) end = Math.max(end, event.anchorEnd);
  }
  return end;
}
