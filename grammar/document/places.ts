import type { Route, Span } from '#schemas/types/place.ts';

const STRIDE = 10;
const [KIND, START, END, KEY_START, KEY_END, PARENT, FIRST, NEXT, ALIAS, PROPERTIES] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
] as const;

export const SCALAR = 0;
export const OBJECT = 1;
export const LIST = 2;
/** A YAML alias: its value stands where the anchor does. */
export const ALIASED = 3;
export type PlaceKind = typeof SCALAR | typeof OBJECT | typeof LIST | typeof ALIASED;

/** A value of the text by its number in the table; the document's own value is 0. */
export type PlaceId = number;
export const NOWHERE: PlaceId = -1;

/** Fewest and most values that a table has room for from the start: a table that grows is copied. */
const LEAST = 256;
const MOST = 1_000_000;

/**
 * Places of all values of a document: numbers in one flat table, because a file of 100,000 actions has more than a
 * million values. Made only when a place is asked for. Children stand in the order of the text.
 */
export class Places {
  #table: Int32Array;
  #count = 0;
  readonly #keyAt: (id: PlaceId) => string;
  readonly #indexes = new Map<PlaceId, Int32Array>();
  readonly #keys = new Map<PlaceId, ReadonlyMap<string, PlaceId>>();

  /** `keyAt` reads the key of a value that stands in an object; `count`: about so many values will be added. */
  constructor(keyAt: (id: PlaceId) => string, count = LEAST) {
    this.#table = new Int32Array(STRIDE * Math.min(Math.max(count, LEAST), MOST));
    this.#keyAt = keyAt;
  }

  /** Adds a value behind `previous` (its elder sibling), or as the first one of `parent`. */
  add(kind: PlaceKind, parent: PlaceId, previous: PlaceId, start: number, keyStart: number, keyEnd: number): PlaceId {
    const id = this.#count;
    this.#count += 1;
    if (this.#count * STRIDE > this.#table.length) this.#grow();
    const at = id * STRIDE;
    const table = this.#table;
    table[at + KIND] = kind;
    table[at + START] = start;
    table[at + END] = start;
    table[at + KEY_START] = keyStart;
    table[at + KEY_END] = keyEnd;
    table[at + PARENT] = parent;
    table[at + FIRST] = NOWHERE;
    table[at + NEXT] = NOWHERE;
    table[at + ALIAS] = NOWHERE;
    table[at + PROPERTIES] = start;
    if (previous !== NOWHERE) table[previous * STRIDE + NEXT] = id;
    else if (parent !== NOWHERE) table[parent * STRIDE + FIRST] = id;
    return id;
  }

  /** Says where the value's anchor or tag begins. */
  setProperties(id: PlaceId, start: number): void {
    this.#table[id * STRIDE + PROPERTIES] = start;
  }

  setEnd(id: PlaceId, end: number): void {
    this.#table[id * STRIDE + END] = end;
  }

  /** Says that the value is a YAML alias of another one. */
  setAlias(id: PlaceId, target: PlaceId): void {
    this.#table[id * STRIDE + ALIAS] = target;
  }

  get count(): number {
    return this.#count;
  }

  kind(id: PlaceId): PlaceKind {
    return this.#get(id, KIND) as PlaceKind;
  }

  start(id: PlaceId): number {
    return this.#get(id, START);
  }

  /** Start of the value's anchor or tag; without those its own. */
  propertiesStart(id: PlaceId): number {
    return this.#get(id, PROPERTIES);
  }

  end(id: PlaceId): number {
    return this.#get(id, END);
  }

  value(id: PlaceId): Span {
    return { start: this.#get(id, START), end: this.#get(id, END) };
  }

  /** The key's range; of an element of a block list that of its `-`; undefined for other elements and the document. */
  key(id: PlaceId): Span | undefined {
    const start = this.#get(id, KEY_START);
    return start < 0 ? undefined : { start, end: this.#get(id, KEY_END) };
  }

  /** The key as text; empty for elements of lists and the document. */
  keyText(id: PlaceId): string {
    return this.#keyAt(id);
  }

  parent(id: PlaceId): PlaceId {
    return this.#get(id, PARENT);
  }

  /** The value itself, or what it stands for where it is an alias. */
  followed(id: PlaceId): PlaceId {
    const target = this.#get(id, ALIAS);
    return target === NOWHERE ? id : target;
  }

  /** The children in the order of the text. */
  children(id: PlaceId): Int32Array {
    let index = this.#indexes.get(id);
    if (index === undefined) {
      const found: number[] = [];
      for (let child = this.#get(id, FIRST); child !== NOWHERE; child = this.#get(child, NEXT)) found.push(child);
      index = Int32Array.from(found);
      this.#indexes.set(id, index);
    }
    return index;
  }

  /** The child by key or index, aliases followed before the step; NOWHERE where there is none. */
  child(id: PlaceId, step: string | number): PlaceId {
    const holder = this.followed(id);
    const children = this.children(holder);
    if (typeof step === 'number') return this.kind(holder) === LIST ? (children[step] ?? NOWHERE) : NOWHERE;
    if (this.kind(holder) !== OBJECT) return NOWHERE;
    // The document's own keys are asked for with every step.
    if (holder === 0 || children.length > 16) return this.#keysOf(holder, children).get(step) ?? NOWHERE;
    for (const child of children) if (this.#keyAt(child) === step) return child;
    return NOWHERE;
  }

  /**
   * Finds as much of the route as there is: the last value, how many steps it took, and whether an alias was
   * followed.
   */
  find(route: Route): { readonly id: PlaceId; readonly steps: number; readonly aliased: boolean } {
    let id: PlaceId = 0;
    let aliased = false;
    let steps = 0;
    for (const step of route) {
      aliased ||= this.kind(id) === ALIASED;
      const child = this.child(id, step);
      if (child === NOWHERE) return { id, steps, aliased };
      id = child;
      steps += 1;
    }
    return { id, steps, aliased: aliased || this.kind(id) === ALIASED };
  }

  /** The innermost value whose key or value holds the offset; the document where none does. */
  at(offset: number): PlaceId {
    let id: PlaceId = 0;
    for (;;) {
      const child = this.#childAt(id, offset);
      if (child === NOWHERE) return id;
      id = child;
    }
  }

  route(id: PlaceId): Route {
    const route: (string | number)[] = [];
    for (let child = id, parent = this.parent(id); parent !== NOWHERE; child = parent, parent = this.parent(parent)) {
      route.push(this.kind(parent) === LIST ? this.children(parent).indexOf(child) : this.#keyAt(child));
    }
    return route.reverse();
  }

  #childAt(id: PlaceId, offset: number): PlaceId {
    const children = this.children(id);
    let low = 0;
    let high = children.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#begin(children[middle] ?? NOWHERE) <= offset) low = middle;
      else high = middle - 1;
    }
    const child = children[low];
    if (child === undefined || this.#begin(child) > offset) return NOWHERE;
    return offset <= Math.max(this.#get(child, END), this.#get(child, KEY_END)) ? child : NOWHERE;
  }

  #begin(id: PlaceId): number {
    const key = this.#get(id, KEY_START);
    return key < 0 ? this.#get(id, START) : key;
  }

  #keysOf(id: PlaceId, children: Int32Array): ReadonlyMap<string, PlaceId> {
    let keys = this.#keys.get(id);
    if (keys === undefined) {
      const made = new Map<string, PlaceId>();
      for (const child of children) if (!made.has(this.#keyAt(child))) made.set(this.#keyAt(child), child);
      this.#keys.set(id, made);
      keys = made;
    }
    return keys;
  }

  #get(id: PlaceId, field: number): number {
    return this.#table[id * STRIDE + field] ?? NOWHERE;
  }

  #grow(): void {
    const larger = new Int32Array(this.#table.length * 2);
    larger.set(this.#table);
    this.#table = larger;
  }
}
