import { readDocument } from '#grammar/document/read.ts';
import type { TextDocument } from '#grammar/document/text-document.ts';
import { linesOf } from '#grammar/source/lines.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Files } from '#schemas/types/host.ts';

/** Nesting beyond this is refused: nothing that people write is that deep. */
export const DEEPEST = 1000;
/** Largest file: it is in memory whole. */
const LARGEST = 256 * 1024 * 1024;
/** Many small values take far more memory than their text. */
const MOST_VALUES = 2 ** 24;

const TOO_LARGE = 'SVC10006';
const TOO_DEEP = 'SVC10007';
const DUPLICATE = 'SVC10010';
/** Numbers that a double would change, and halves of characters: they stay as they are written. */
const kept: ReadonlySet<string> = new Set(['SVC10005', 'SVC10011', 'SVC10012', 'SVC10013']);

/** A JSON file in UTF-8, with or without a byte-order mark. */
export async function readJsonFile(files: Files, path: string): Promise<TextDocument> {
  const found = await files.find(path);
  if (found?.kind !== 'file') throw fail.jsonFileNotFound({ path });
  if (found.size > LARGEST) throw fail.jsonTooLarge({ path, size: found.size, unit: 'bytes', limit: LARGEST });
  const bytes = await files.read(path);
  const values = valuesAtMost(bytes);
  if (values > MOST_VALUES) throw fail.jsonTooLarge({ path, size: values, unit: 'values', limit: MOST_VALUES });
  const { document, text, diagnostics } = await readDocument(bytes, {
    source: path,
    format: 'json',
    limits: { bytes: LARGEST, depth: DEEPEST },
  });
  const worst = diagnostics.find(({ code }) => !kept.has(code));
  if (document === undefined || worst !== undefined) throw refused(path, text, worst);
  return document;
}

/** A comma or an opening bracket stands before each, but for one; those in texts count, too. */
function valuesAtMost(bytes: Uint8Array): number {
  let count = 1;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count += 1;
  return count;
}

function refused(path: string, text: string, problem: Diagnostic | undefined): Failure {
  if (problem?.code === TOO_DEEP) return fail.jsonTooDeep({ path, limit: DEEPEST });
  if (problem?.code === TOO_LARGE)
    return fail.jsonTooLarge({ path, size: text.length, unit: 'characters', limit: LARGEST });
  const { line, column } = linesOf(text).position(problem === undefined ? 0 : offsetOf(problem));
  if (problem?.code === DUPLICATE) return fail.jsonDuplicateKey({ path, key: String(problem.args['key']), line });
  return fail.jsonUnreadable({ path, line, column, reason: problem?.message ?? '' });
}

function offsetOf({ primary: { part } }: Diagnostic): number {
  return typeof part === 'object' && 'text' in part ? part.text.start : 0;
}
