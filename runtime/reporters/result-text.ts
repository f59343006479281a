import { cutText } from '#grammar/source/cut-text.ts';
import { printableLine } from '#grammar/source/printable.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

/** Parts of a result that are named, and characters of a text. */
const MOST_PARTS = 8;
const MOST_TEXT = 60;

/** Words of a command about what it did (`copied 6, deleted 0`); empty where it says nothing beyond success. */
export function resultText(result: Json | undefined): string {
  if (result === undefined || result === null || result === true) return '';
  if (!isObject(result)) return wordOf(result);
  const parts = Object.entries(result).filter(([, value]) => value !== null);
  const more = parts.length - MOST_PARTS;
  const shown = parts.slice(0, MOST_PARTS).map(([name, value]) => `${printableLine(name)} ${countOf(value)}`);
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** Lists and objects beside a name tell how many they hold. */
function countOf(value: Json): string {
  if (Array.isArray(value)) return String(value.length);
  if (isObject(value)) return String(Object.keys(value).length);
  return wordOf(value);
}

function wordOf(value: Json): string {
  if (Array.isArray(value)) return `${value.length} ${value.length === 1 ? 'item' : 'items'}`;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return cutText(printableLine(JSON.stringify(value)), MOST_TEXT);
}
