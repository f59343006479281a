import type { Route } from '#schemas/types/place.ts';

/** A path that cannot be read: the character at which reading stopped. */
export class PathError {
  readonly at: number;

  constructor(at: number) {
    this.at = at;
  }
}

// A name, [3], ["a key"] or ['a key']. Names may hold anything but dots and brackets.
const piece = /\.?([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\]/y;

/** Reads a dotted path such as `data.items[0]["first name"]`. An empty path has no pieces: it is the whole value. */
export function readPath(text: string): Route | PathError {
  const route: (string | number)[] = [];
  let at = 0;
  while (at < text.length) {
    piece.lastIndex = at;
    const [whole, name, position, quoted] = piece.exec(text) ?? [];
    // A dot joins two pieces: none at the beginning, and a name after a name has one.
    if (whole === undefined || (name !== undefined && (at === 0) === whole.startsWith('.'))) return new PathError(at);
    route.push(name ?? (position === undefined ? unquote(quoted ?? '') : Number(position)));
    at += whole.length;
  }
  return route;
}

function unquote(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/gs, '$1');
}
