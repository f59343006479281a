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

const TOO_LARGE = 'SVC1006';
const TOO_DEEP = 'SVC1007';
const DUPLICATE = 'SVC1010';
/** Numbers that a double would change, and halves of characters: they stay as they are written. */
const kept: ReadonlySet<string> = new Set(['SVC1005', 'SVC1011', 'SVC1012', 'SVC1013']);

/** A JSON file in UTF-8, with or without a byte-order mark. */
export async function readJsonFile(files: Files, path: string): Promise<TextDocument> {
  const found = await files.find(path);
  if (found?.kind !== 'file') throw fail.jsonFileNotFound({ path });
  if (found.size > LARGEST) throw fail.jsonTooLarge({ path, size: found.size, limit: LARGEST });
  const { document, text, diagnostics } = await readDocument(await files.read(path), { source: path, format: 'json', limits: { bytes: LARGEST, depth: DEEPEST } });
  const worst = diagnostics.find(({ code }) => !kept.has(code));
  if (document === undefined || worst !== undefined) throw refused(path, text, worst);
  return document;
}

function refused(path: string, text: string, problem: Diagnostic | undefined): Failure {
  if (problem?.code === TOO_DEEP) return fail.jsonTooDeep({ path, limit: DEEPEST });
  if (problem?.code === TOO_LARGE) return fail.jsonTooLarge({ path, size: text.length, limit: LARGEST });
  const { line, column } = linesOf(text).position(problem === undefined ? 0 : offsetOf(problem));
  if (problem?.code === DUPLICATE) return fail.jsonDuplicateKey({ path, key: String(problem.args['key']), line });
  return fail.jsonUnreadable({ path, line, column, reason: (problem?.message ?? '').replace(/\.$/, '') });
}

function offsetOf({ primary: { part } }: Diagnostic): number {
  return typeof part === 'object' && 'text' in part ? part.text.start : 0;
}
