import type { Route } from '#schemas/types/place.ts';

/** A path that leads nowhere: its first piece that was not found, and the text of what stands before it. */
export class Missing {
  readonly piece: string;
  readonly before: string;
  /** The value that stands there, and the one that holds it; absent where there is none. */
  readonly there: { readonly value: unknown; readonly owner?: unknown } | undefined;

  constructor(piece: string, before: string, there?: Missing['there']) {
    this.piece = piece;
    this.before = before;
    this.there = there;
  }
}

/**
 * Follows a path into a value. `start` is the text of the path so far, for the message. Names of HTTP headers (what
 * stands under `headers`) ignore case.
 */
export function follow(value: unknown, path: Route, start: string): unknown {
  let here = value;
  let owner: unknown;
  for (let index = 0; index < path.length; index++) {
    const piece = path[index] ?? '';
    const next = child(here, piece, index === 0 ? start : path[index - 1]);
    if (next === undefined)
      return new Missing(String(piece), pathText(start, path.slice(0, index)), { value: here, owner });
    owner = here;
    here = next;
  }
  return here;
}

function child(value: unknown, piece: string | number, parent: string | number | undefined): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return typeof piece === 'number' || /^\d+$/.test(piece) ? value[Number(piece)] : undefined;
  const key = String(piece);
  const owner = value as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(owner, key)) return owner[key];
  if (parent !== 'headers') return undefined;
  const wanted = key.toLowerCase();
  const header = Object.keys(owner).find((name) => name.toLowerCase() === wanted);
  return header === undefined ? undefined : owner[header];
}

/** `user`, `['items', 0, 'x y']` → `user.items[0]["x y"]`. */
export function pathText(start: string, path: Route): string {
  let text = start;
  for (const piece of path) {
    if (typeof piece === 'number') text += `[${piece}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(piece)) text += text === '' ? piece : `.${piece}`;
    else text += `[${JSON.stringify(piece)}]`;
  }
  return text;
}
