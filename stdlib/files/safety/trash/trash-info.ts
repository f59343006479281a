import { bytesOfName, textOfName } from '#schemas/types/file-name.ts';
import type { Clock } from '#schemas/types/host.ts';

export interface TrashInfo {
  /** Absolute, or from the top of the file system. */
  readonly path: string;
  /** Seconds since 1970. */
  readonly trashed_at: number;
}

/**
 * Text of `info/<name>.trashinfo`: the path as bytes in percent form, the time as people there see it on their
 * clocks.
 */
export function printTrashInfo({ path, trashed_at }: TrashInfo, clock: Clock): string {
  const at = trashed_at * 1000;
  const local = new Date(at + clock.offset(at) * 60_000).toISOString().slice(0, 19);
  return `[Trash Info]\nPath=${escapePath(path)}\nDeletionDate=${local}\n`;
}

/** Reads the facts of an entry; undefined for text that is none. The first counts of a key that stands twice. */
export function readTrashInfo(text: string, clock: Clock): TrashInfo | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const start = lines.indexOf('[Trash Info]');
  const next = lines.findIndex((line, index) => index > start && line.startsWith('['));
  const group = start < 0 ? [] : lines.slice(start + 1, next < 0 ? undefined : next);
  const valueOf = (key: string): string | undefined =>
    group.map((line) => new RegExp(`^${key}\\s*=\\s*(.*)$`).exec(line)?.[1]).find((value) => value !== undefined);
  const path = unescapePath(valueOf('Path') ?? '');
  const trashed_at = secondsOf(valueOf('DeletionDate') ?? '', clock);
  return path !== '' && trashed_at !== undefined ? { path, trashed_at } : undefined;
}

function secondsOf(text: string, clock: Clock): number | undefined {
  const wall = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text) ? Date.parse(`${text.slice(0, 19)}Z`) : Number.NaN;
  if (Number.isNaN(wall)) return undefined;
  // The offset is that of the moment itself, which is known only once the offset is.
  const guess = wall - clock.offset(wall) * 60_000;
  return (wall - clock.offset(guess) * 60_000) / 1000;
}

/** Letters, digits and `-._~/` stay, every other byte becomes `%XX`. */
export function escapePath(path: string): string {
  let text = '';
  for (const byte of bytesOfName(path)) {
    const character = String.fromCharCode(byte);
    text += /[A-Za-z0-9\-._~/]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return text;
}

function unescapePath(text: string): string {
  const bytes: number[] = [];
  for (const [piece, hex] of text.matchAll(/%([0-9A-Fa-f]{2})|[^%]+|%/g)) {
    if (hex === undefined) bytes.push(...bytesOfName(piece));
    else bytes.push(Number.parseInt(hex, 16));
  }
  return textOfName(Uint8Array.from(bytes));
}
