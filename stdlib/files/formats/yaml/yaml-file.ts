import { MOST_FINDINGS } from '#grammar/document/findings.ts';
import { readDocument } from '#grammar/document/read.ts';
import type { Document } from '#grammar/document/document.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Files } from '#schemas/types/host.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Span } from '#schemas/types/place.ts';
import { requireFile } from '#stdlib/files/kind.ts';

/** Something that a reader of YAML 1.2 cannot turn into a value, though the rest of the file can be read. */
export interface Doubt {
  readonly code: string;
  readonly span: Span;
  readonly reason: string;
}

export interface YamlFile {
  readonly path: string;
  /** Text less the byte-order mark. */
  readonly text: string;
  readonly hasMark: boolean;
  /** Absent where nothing but comments stands in the file. */
  readonly document: Document | undefined;
  readonly value: Json;
  readonly doubts: readonly Doubt[];
}

const EMPTY = 'SVC10008';
/** Merge keys, keys that are no text, and numbers that JSON cannot say: everything around them is certain. */
const local: ReadonlySet<string> = new Set(['SVC10011', 'SVC10012', 'SVC10013', 'SVC10014', 'SVC10015', 'SVC10017']);

export async function readYamlFile(files: Files, path: string): Promise<YamlFile> {
  await requireFile(files, path);
  return readYamlText(await files.read(path), path);
}

/** One document in UTF-8. An empty one counts as an empty object. */
export async function readYamlText(input: Uint8Array | string, path: string): Promise<YamlFile> {
  const { document, text, diagnostics } = await readDocument(input, { source: path, format: 'yaml' });
  const doubts = diagnostics.map(doubtOf);
  if (document === undefined && diagnostics.every(({ code }) => code === EMPTY))
    return { path, text, hasMark: hasMark(input), document, value: {}, doubts: [] };
  // Where there are so many that some may not be told, nothing is certain.
  const worst =
    document === undefined || doubts.length >= MOST_FINDINGS ? doubts[0] : doubts.find(({ code }) => !local.has(code));
  if (document === undefined || worst !== undefined) throw unreadable(path, text, worst);
  return { path, text, hasMark: document.hadByteOrderMark, document, value: document.value, doubts };
}

export function unreadable(path: string, text: string, doubt: Doubt | undefined): Failure {
  const line = text.slice(0, doubt?.span.start ?? 0).split('\n').length;
  return fail.yamlUnreadable({ path, line, reason: doubt?.reason ?? '' });
}

function doubtOf({ code, message, primary: { part } }: Diagnostic): Doubt {
  const span = typeof part === 'object' && 'text' in part ? part.text : { start: 0, end: 0 };
  // The rest of the message speaks of action files.
  return { code, span, reason: message.split(';')[0] ?? '' };
}

function hasMark(input: Uint8Array | string): boolean {
  return typeof input !== 'string' && input[0] === 0xef && input[1] === 0xbb && input[2] === 0xbf;
}
