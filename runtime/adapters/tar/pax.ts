import { textOfName } from '#schemas/types/file-name.ts';

import { Broken } from './broken.ts';

/** Records of an extended header in their order: sparse maps of an old kind repeat their keys. */
export type Records = readonly (readonly [key: string, value: string])[];

/** `length key=value\n`, again and again; the length counts itself. */
export function parseRecords(bytes: Uint8Array): Records {
  const records: [string, string][] = [];
  for (let at = 0; at < bytes.length && bytes[at] !== 0;) {
    const blank = bytes.indexOf(32, at);
    const digits = blank === -1 ? '' : String.fromCharCode(...bytes.subarray(at, Math.min(blank, at + 12)));
    const end = at + Number(digits);
    if (!/^[1-9]\d*$/.test(digits) || end > bytes.length || end < blank + 3 || bytes[end - 1] !== 10)
      throw new Broken('an extended header is malformed');
    const record = bytes.subarray(blank + 1, end - 1);
    const equals = record.indexOf(61);
    if (equals < 1) throw new Broken('an extended header is malformed');
    records.push([textOfName(record.subarray(0, equals)), textOfName(record.subarray(equals + 1))]);
    at = end;
  }
  return records;
}

/** Extended headers of a member: its own records, and those of the whole archive. */
export interface Said {
  readonly records: Records;
  readonly globals: ReadonlyMap<string, string>;
}

/**
 * The value of a key that counts: the member's own before that of the archive, and the last one. An empty value takes
 * back an earlier one.
 */
export function valueOf({ records, globals }: Said, key: string): string | undefined {
  const found = records.findLast(([name]) => name === key)?.[1] ?? globals.get(key);
  return found === '' ? undefined : found;
}

/** Milliseconds of a time in seconds with fractions; undefined where the text is none. */
export function timeOf(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d{1,13}(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : undefined;
}
