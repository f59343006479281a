import { stringEnd } from './scan.ts';
import { LIST, NOWHERE, OBJECT, Places, SCALAR } from '../places.ts';
import type { PlaceId } from '../places.ts';

/** The places of a text that JSON.parse has accepted: nothing is checked again. Linear, without recursion. */
export function jsonPlaces(text: string): Places {
  const places: Places = new Places((id) => jsonKey(text, places, id), text.length >> 3);
  let holder: PlaceId = NOWHERE;
  let previous: PlaceId = NOWHERE;
  let keyStart = -1;
  let keyEnd = -1;
  let at = 0;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit <= 32 || unit === 44 || unit === 58) {
      at += 1;
    } else if (unit === 125 || unit === 93) {
      at += 1;
      places.setEnd(holder, at);
      previous = holder;
      holder = places.parent(holder);
    } else if (unit === 34 && keyStart < 0 && holder !== NOWHERE && places.kind(holder) === OBJECT) {
      keyStart = at;
      at = keyEnd = stringEnd(text, at + 1);
    } else {
      const id = places.add(
        unit === 123 ? OBJECT : unit === 91 ? LIST : SCALAR,
        holder,
        previous,
        at,
        keyStart,
        keyEnd,
      );
      keyStart = keyEnd = -1;
      if (unit === 123 || unit === 91) {
        holder = id;
        previous = NOWHERE;
        at += 1;
      } else {
        at = unit === 34 ? stringEnd(text, at + 1) : wordEnd(text, at);
        places.setEnd(id, at);
        previous = id;
      }
    }
  }
  return places;
}

/** The key of a value; empty for elements of lists. */
function jsonKey(text: string, places: Places, id: PlaceId): string {
  const key = places.key(id);
  return key === undefined ? '' : jsonText(text, key.start, key.end);
}

/** The value of a string literal, quotes included in its range. */
export function jsonText(text: string, start: number, end: number): string {
  const content = text.slice(start + 1, end - 1);
  return content.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : content;
}

function wordEnd(text: string, from: number): number {
  let at = from + 1;
  for (; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit <= 32 || unit === 44 || unit === 93 || unit === 125) return at;
  }
  return at;
}
