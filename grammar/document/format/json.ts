import { OBJECT, SCALAR } from '../places.ts';
import type { PlaceId } from '../places.ts';
import type { TextDocument } from '../text-document.ts';

/**
 * JSON in the one style: two blanks a level; what fits on a line stands on one, but for the document's own value.
 * Numbers and texts stay as they are written.
 */
export function formatJson({ text, places }: TextDocument, width: number): string {
  const written = (id: PlaceId): string => text.slice(places.start(id), places.end(id));
  const keyed = (id: PlaceId): string => {
    const key = places.key(id);
    return key === undefined ? '' : `${text.slice(key.start, key.end)}: `;
  };

  /** The value on one line; undefined where that takes more than `room`. */
  const flat = (id: PlaceId, room: number): string | undefined => {
    if (places.kind(id) === SCALAR) return written(id);
    const pieces: string[] = [];
    let left = room - 2;
    for (const child of places.children(id)) {
      const key = keyed(child);
      const value = left < 0 ? undefined : flat(child, left - key.length);
      if (value === undefined) return undefined;
      left -= key.length + value.length + 2;
      pieces.push(key + value);
    }
    if (left < -2) return undefined;
    return places.kind(id) === OBJECT ? `{${pieces.join(', ')}}` : `[${pieces.join(', ')}]`;
  };

  const spread = (id: PlaceId, lead: string, before: number, isTop: boolean): string => {
    const children = places.children(id);
    const line = isTop && children.length > 0 ? undefined : flat(id, width - lead.length - before);
    if (line !== undefined || children.length === 0) return line ?? written(id);
    const inner = `${lead}  `;
    const lines = Array.from(children, (child) => {
      const key = keyed(child);
      return `${inner}${key}${spread(child, inner, key.length + 1, false)}`;
    });
    const [open, close] = places.kind(id) === OBJECT ? ['{', '}'] : ['[', ']'];
    return `${open}\n${lines.join(',\n')}\n${lead}${close}`;
  };

  return `${spread(0, '', 0, true)}\n`;
}
