import { cutText } from '#grammar/source/cut-text.ts';
import { printableLine } from '#grammar/source/printable.ts';
import { counted } from '#grammar/source/counted.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

import { hidePasswords } from './passwords.ts';

/** Lines of a body that are shown, and characters of each. */
const MOST_LINES = 10;
const MOST_TEXT = 200;

/**
 * An answer in a step's result: whence it came, what it is, and the beginning of its body. Empty where there is none.
 */
export function answerLines(result: Json | undefined): readonly string[] {
  if (result === undefined || !isObject(result)) return [];
  const { status_code: status, request_method: method, request_url: address, reason, text } = result;
  if (typeof status !== 'number' || typeof address !== 'string' || typeof method !== 'string') return [];
  const phrase = typeof reason === 'string' && reason !== '' ? ` ${reason}` : '';
  const body = typeof text === 'string' ? hidePasswords(text) : '';
  const size = body === '' ? 'without a body' : `${mediaOf(result)}, ${counted(body.length, 'character')}:`;
  const lines = body.split(/\r?\n/).slice(0, MOST_LINES);
  const more = body.split('\n').length - lines.length;
  return [
    printableLine(`${method} ${address} answered ${status}${phrase}, ${size}`),
    ...(body === '' ? [] : lines.map((line) => `  ${printableLine(cutText(line, MOST_TEXT))}`)),
    ...(more > 0 ? [`  … ${counted(more, 'more line')}`] : []),
  ];
}

/** The media type of an answer, as its header says it. */
function mediaOf({ headers }: Readonly<Record<string, Json>>): string {
  const entries = headers !== undefined && isObject(headers) ? Object.entries(headers) : [];
  const type = entries.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return typeof type === 'string' && type !== '' ? type : 'of no known type';
}
