import type { Label } from '#schemas/types/diagnostic.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Route, SourceId, Span } from '#schemas/types/place.ts';

import type { Comment, Document } from './document.ts';
import type { ReadLimits } from './limits.ts';
import { LIST, NOWHERE } from './places.ts';
import type { PlaceId, Places } from './places.ts';
import { RouteSet } from './route-set.ts';

/** Differences between the two formats. */
export interface Format {
  readonly name: Document['format'];
  places(): Places;
  comments(): readonly Comment[];
  /** The offset in the file of unit `offset` of the text value at `id`; undefined where the value is no text. */
  textOffset(places: Places, id: PlaceId, offset: number): number | undefined;
}

export interface TextDocumentParts {
  readonly source: SourceId;
  readonly text: string;
  readonly hadByteOrderMark: boolean;
  readonly value: Json;
  readonly hasAliases: boolean;
  readonly poisoned: readonly Route[];
  /** Number of findings that the reader had. */
  readonly findings: number;
  readonly limits: ReadLimits;
  readonly format: Format;
}

/** A document that was read from text. Its table of places is made when a place is first asked for. */
export class TextDocument implements Document {
  readonly source: SourceId;
  readonly format: Document['format'];
  readonly text: string;
  readonly hadByteOrderMark: boolean;
  readonly value: Json;
  readonly findings: number;
  readonly limits: ReadLimits;
  readonly #parts: TextDocumentParts;
  #places: Places | undefined;
  #comments: readonly Comment[] | undefined;
  readonly #poisoned: RouteSet;

  constructor(parts: TextDocumentParts) {
    this.source = parts.source;
    this.format = parts.format.name;
    this.text = parts.text;
    this.hadByteOrderMark = parts.hadByteOrderMark;
    this.value = parts.value;
    this.findings = parts.findings;
    this.limits = parts.limits;
    this.#parts = parts;
    this.#poisoned = new RouteSet(parts.poisoned);
  }

  /** Places of all values, for the edits of this folder. */
  get places(): Places {
    return (this.#places ??= this.#parts.format.places());
  }

  spanAt(route: Route, part: Label['part'] = 'value'): Span {
    if (typeof part === 'object' && 'text' in part) return part.text;
    const { id, steps } = this.places.find(route);
    const key = part === 'key' && steps === route.length ? this.#keySpan(id) : undefined;
    if (key !== undefined) return key;
    const target = this.places.followed(id);
    if (typeof part === 'object' && steps === route.length) return this.#partSpan(target, part[0], part[1]);
    // A step too far: the part that is missing belongs to the value found.
    return this.places.value(target);
  }

  routeAt(offset: number): Route {
    const { places } = this;
    return places.route(places.at(offset));
  }

  comments(): readonly Comment[] {
    return (this.#comments ??= this.#parts.format.comments());
  }

  isAliased(route: Route): boolean {
    return this.#parts.hasAliases && this.places.find(route).aliased;
  }

  isPoisoned(route: Route): boolean {
    if (this.#poisoned.covers(route)) return true;
    if (!this.#parts.hasAliases || this.#parts.poisoned.length === 0) return false;
    // Behind an alias it is the value at the anchor that is in error.
    const { places } = this;
    return this.#poisoned.covers(places.route(places.followed(places.find(route).id)));
  }

  #keySpan(id: PlaceId): Span | undefined {
    const parent = this.places.parent(id);
    return parent === NOWHERE || this.places.kind(parent) === LIST ? undefined : this.places.key(id);
  }

  #partSpan(id: PlaceId, from: number, to: number): Span {
    const start = this.#parts.format.textOffset(this.places, id, from);
    const end = this.#parts.format.textOffset(this.places, id, to);
    return start === undefined || end === undefined ? this.places.value(id) : { start, end };
  }
}
