/**
 * Keys behind which values stand as the user wrote them: literals, values of a matrix, defaults of inputs. The keys in
 * these keep their order, in which steps send and write them.
 */
const asWritten: ReadonlySet<string> = new Set(['lit', 'matrix', 'default']);

/**
 * JSON in one form for one value (after RFC 8785): keys sorted by UTF-16 units, no blanks, numbers and texts as
 * ECMAScript writes them. Keys without a value are left out; those inside of what the user wrote stay in their order.
 */
export function canonicalJson(value: unknown): string {
  const writer = new Writer();
  writer.write(value);
  return writer.pieces.join('');
}

class Writer {
  /** Joined once: a text that grows piece by piece has to be put together again at the end. */
  readonly pieces: string[] = [];

  write(value: unknown): void {
    if (typeof value !== 'object' || value === null) this.pieces.push(JSON.stringify(value));
    else if (Array.isArray(value)) this.#list(value);
    else this.#object(value as Readonly<Record<string, unknown>>);
  }

  #list(value: readonly unknown[]): void {
    let before = '[';
    for (const item of value) {
      this.pieces.push(before);
      this.#item(item);
      before = ',';
    }
    this.pieces.push(before === '[' ? '[]' : ']');
  }

  /** The engine itself writes it many times as fast, once its keys are in order. */
  #item(item: unknown): void {
    const sorted = inOrder(item);
    if (sorted === unsortable) this.write(item);
    else this.pieces.push(JSON.stringify(sorted));
  }

  #object(value: Readonly<Record<string, unknown>>): void {
    let before = '{';
    for (const key of Object.keys(value).sort()) {
      const item = value[key];
      if (item === undefined) continue;
      this.pieces.push(`${before}${JSON.stringify(key)}:`);
      if (asWritten.has(key)) this.pieces.push(JSON.stringify(item));
      else this.write(item);
      before = ',';
    }
    this.pieces.push(before === '{' ? '{}' : '}');
  }
}

/** Stands for a value with keys whose order an object does not keep, or keeps for itself. */
const unsortable = Symbol('unsortable');

/** The value with its keys in order: itself where they are, which is so in most of a plan. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Array.isArray(value) ? listInOrder(value) : objectInOrder(value as Readonly<Record<string, unknown>>);
}

function listInOrder(value: readonly unknown[]): unknown {
  let copy: unknown[] | undefined;
  for (let index = 0; index < value.length; index += 1) {
    const item = value[index];
    const sorted = inOrder(item);
    if (sorted === unsortable) return unsortable;
    if (sorted !== item) copy ??= value.slice(0, index);
    copy?.push(sorted);
  }
  return copy ?? value;
}

function objectInOrder(value: Readonly<Record<string, unknown>>): unknown {
  let before = '';
  let isInOrder = true;
  let changed: Map<string, unknown> | undefined;
  // Own keys alone: data inherits nothing that would be listed.
  for (const key in value) {
    if (key < before) isInOrder = false;
    before = key;
    const item = value[key];
    if (typeof item !== 'object' || item === null || asWritten.has(key)) continue;
    const sorted = inOrder(item);
    if (sorted === unsortable) return unsortable;
    if (sorted !== item) changed = (changed ?? new Map<string, unknown>()).set(key, sorted);
  }
  return isInOrder && changed === undefined ? value : sortedCopy(value, changed);
}

function sortedCopy(
  value: Readonly<Record<string, unknown>>,
  changed: ReadonlyMap<string, unknown> | undefined,
): unknown {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    if (isUnsortable(key)) return unsortable;
    copy[key] = changed?.get(key) ?? value[key];
  }
  return copy;
}

/** Keys that are numbers come first in every object, and this name is no key of its own where it is assigned. */
function isUnsortable(key: string): boolean {
  const unit = key.charCodeAt(0);
  return (unit >= 48 && unit <= 57) || key === '__proto__';
}
