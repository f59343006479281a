import { isIdentity, type ProcessIdentity } from '#runtime/services/file-locks/process-identity.ts';
import { isObject, type JsonObject } from '#schemas/types/json.ts';

/** Note about an upload in parts, as its file holds it. */
export interface UploadNote {
  readonly v: 1;
  readonly place: string;
  readonly path: string;
  /** Time (ms) of the last note. */
  readonly at: number;
  readonly note: JsonObject;
}

/** Folder of a place in which a unit writes parts. */
export interface PartsFolder {
  readonly place: string;
  readonly folder: string;
}

/** The note that a file holds; undefined where it is none. */
export function readNote(text: string): UploadNote | undefined {
  const value = parsed(text);
  if (!isObject(value) || value['v'] !== 1) return undefined;
  const { place, path, at, note } = value;
  if (typeof place !== 'string' || typeof path !== 'string' || typeof at !== 'number' || !isObject(note))
    return undefined;
  return { v: 1, place, path, at, note };
}

/** First line of a file about parts of a unit that has ended: nobody works on them any more. */
export const ENDED = 'ended';

/** A line of a file about parts: its first names the process, each other one a folder. */
export function partsText(line: ProcessIdentity | typeof ENDED | PartsFolder): string {
  return `${JSON.stringify(line)}\n`;
}

/** The process and the folders of a file about parts. A line that a death has cut off is left out. */
export function readParts(
  text: string,
): { readonly owner: ProcessIdentity | typeof ENDED; readonly parts: readonly PartsFolder[] } | undefined {
  const [owner, ...parts] = text.split('\n').map(parsed);
  if (owner !== ENDED && !isIdentity(owner)) return undefined;
  return { owner, parts: parts.filter(isPartsFolder) };
}

function isPartsFolder(value: unknown): value is PartsFolder {
  return isObject(value) && typeof value['place'] === 'string' && typeof value['folder'] === 'string';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
