/**
 * JSON in one form for one value (after RFC 8785): keys sorted by UTF-16 units, no blanks, numbers and texts as
 * ECMAScript writes them. Keys without a value are left out.
 */
export function canonicalJson(value: unknown): string {
  const writer = new Writer();
  writer.write(value);
  return writer.pieces.join('');
}

class Writer {
  /** Joined once: a text that grows piece by piece has to be put together again at the end. */
  readonly pieces: string[] = [];
  /** Names with quotes and colon: a plan has few, each many times. */
  readonly #names = new Map<string, string>();

  write(value: unknown): void {
    if (typeof value !== 'object' || value === null) this.pieces.push(JSON.stringify(value));
    else if (Array.isArray(value)) this.#list(value);
    else this.#object(value as Readonly<Record<string, unknown>>);
  }

  #list(value: readonly unknown[]): void {
    let before = '[';
    for (const item of value) {
      this.pieces.push(before);
      if (isInOrder(item)) this.pieces.push(JSON.stringify(item));
      else this.write(item);
      before = ',';
    }
    this.pieces.push(before === '[' ? '[]' : ']');
  }

  #object(value: Readonly<Record<string, unknown>>): void {
    let before = '{';
    for (const key of sortedKeys(value)) {
      const item = value[key];
      if (item === undefined) continue;
      this.pieces.push(before, this.#name(key));
      this.write(item);
      before = ',';
    }
    this.pieces.push(before === '{' ? '{}' : '}');
  }

  #name(key: string): string {
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = `${JSON.stringify(key)}:`;
    this.#names.set(key, name);
    return name;
  }
}

/**
 * Whether the engine itself, many times as fast, writes a value in the one form: plans are built so, except for what
 * users order.
 */
function isInOrder(value: unknown): boolean {
  if (value === undefined) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  let before = '';
  // Own keys alone: data inherits nothing that would be listed.
  for (const key in value) {
    if (key < before) return false;
    const item: unknown = (value as Readonly<Record<string, unknown>>)[key];
    if (item !== undefined && !isInOrder(item)) return false;
    before = key;
  }
  return true;
}

function sortedKeys(value: object): readonly string[] {
  const keys = Object.keys(value);
  for (let index = 1; index < keys.length; index += 1) {
    // Comparing texts goes by UTF-16 units, as `sort` does without a rule.
    if ((keys[index - 1] ?? '') > (keys[index] ?? '')) return keys.sort();
  }
  return keys;
}
