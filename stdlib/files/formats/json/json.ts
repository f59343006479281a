import { applyChanges } from '#grammar/document/edit/apply.ts';
import { textEdits } from '#grammar/document/edit/edit.ts';
import { scanJson } from '#grammar/document/json/scan.ts';
import { changesOf } from '#grammar/document/edit/operations.ts';
import { isSameValue } from '#grammar/document/route.ts';
import type { TextDocument } from '#grammar/document/text-document.ts';
import { TreeEditor } from '#grammar/document/edit/tree-editor.ts';
import { applyEdits } from '#grammar/source/edit.ts';
import type { Base } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import type { Json } from '#schemas/types/json.ts';
import { commandRaising } from '#stdlib/command.ts';

import { inexactNumber } from '../inexact-number.ts';
import { removing, routeOf, setting, type Operation, type Refusals } from '../key-edits.ts';
import { NOTHING, segmentsOf, valueAt } from '../key-path.ts';

import { indented } from './indented.ts';
import { DEEPEST, readJsonFile } from './json-file.ts';

const command = commandRaising('JsonEditException');

const refuse: Refusals = { forbidden: fail.keyForbidden, keyInList: fail.keyInList, outOfRange: fail.indexOutOfRange };

export const FA_json_get = command('FA_json_get', async (params, ctx) => {
  const { path, key_path } = params;
  const document = await readJsonFile(ctx.files, path);
  const segments = segmentsOf(key_path, document.value);
  const found = valueAt(document.value, segments);
  if (found === NOTHING) return params.default;
  requireExact(document, segments, path);
  return found;
});

export const FA_json_set = command('FA_json_set', async ({ path, key_path, value }, ctx) => {
  requireKey(key_path);
  const document = await readJsonFile(ctx.files, path);
  const segments = segmentsOf(key_path, document.value);
  const tooDeep = scanJson(JSON.stringify(value), DEEPEST - segments.length).tooDeepAt !== undefined;
  if (segments.length > DEEPEST || tooDeep) throw fail.jsonTooDeep({ path, limit: DEEPEST });
  await write(ctx, { path, document, operation: setting(document.value, segments, value as Json, refuse) });
  return true as const;
});

export const FA_json_delete = command('FA_json_delete', async ({ path, key_path }, ctx) => {
  requireKey(key_path);
  const document = await readJsonFile(ctx.files, path);
  const segments = segmentsOf(key_path, document.value);
  const operation = removing(document.value, segments);
  if (operation === undefined) return false;
  await write(ctx, { path, document, operation });
  return true;
});

function requireKey(path: string | readonly (string | number)[]): void {
  if (segmentsOf(path, null).length === 0) throw fail.keyPathEmpty({});
}

/** The value is looked at as it is written, since no number may come out as another one. */
function requireExact(document: TextDocument, segments: readonly string[], path: string): void {
  if (document.findings === 0) return;
  const { start, end } = document.spanAt(routeOf(document.value, segments));
  const number = inexactNumber(document.text.slice(start, end));
  if (number !== undefined) throw fail.numberNotExact({ number, path });
}

interface Change {
  readonly path: string;
  readonly document: TextDocument;
  readonly operation: Operation;
}

/** Indented by two spaces, in the order of the file, with a line feed at the end. Permission bits stay. */
async function write(
  { files, durable, signal }: Base & { readonly files: Files },
  { path, document, operation }: Change,
): Promise<void> {
  await files.writeStream(path, encoded(indented(changed(document, operation))), { durable, signal });
}

async function* encoded(pieces: Iterable<string>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for (const piece of pieces) yield encoder.encode(piece);
}

function changed(document: TextDocument, operation: Operation): string {
  const changes = changesOf([operation]);
  const text = applyEdits(document.text, new TreeEditor(document, changes).run());
  // In any layout that small edits do not know, the change is made in a larger way.
  return isSameValue(JSON.parse(text) as Json, applyChanges(document.value, changes).value)
    ? text
    : applyEdits(document.text, textEdits(document, [operation]));
}
