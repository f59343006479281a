import type { Json } from '#schemas/types/json.ts';

/** More work than a value may cost, at a place of it. */
export class TooMuchWork extends Error {
  readonly place: string;

  constructor(place: string) {
    super('schemas refer to others in too many ways');
    this.place = place;
  }
}

/** Bound of the schemas that parts of a value are held against: documents can name more than time allows. */
export class Work {
  readonly #value: Json;
  #done = 0;
  #most: number;
  #isCounted = false;

  constructor(value: Json, most = 50_000) {
    this.#value = value;
    this.#most = most;
  }

  /** Throws where it is too much at a place of the value; a large value may have more. */
  add(place: string): void {
    this.#done += 1;
    if (this.#done <= this.#most) return;
    if (this.#isCounted) throw new TooMuchWork(place);
    this.#isCounted = true;
    this.#most = Math.max(this.#most, 200 * partsOf(this.#value));
    if (this.#done > this.#most) throw new TooMuchWork(place);
  }
}

function partsOf(value: Json): number {
  const waiting: Json[] = [value];
  let count = 0;
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    count += 1;
    if (typeof one === 'object' && one !== null) for (const part of Object.values(one)) waiting.push(part);
  }
  return count;
}
