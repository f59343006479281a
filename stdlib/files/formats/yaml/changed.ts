import { applyChanges } from '#grammar/document/apply.ts';
import type { Document } from '#grammar/document/document.ts';
import { textEdits } from '#grammar/document/edit.ts';
import { changesOf } from '#grammar/document/operations.ts';
import { blockEntry } from '#grammar/document/print.ts';
import { isSameValue, valueAt } from '#grammar/document/route.ts';
import { TextDocument } from '#grammar/document/text-document.ts';
import { TreeEditor } from '#grammar/document/tree-editor.ts';
import { applyEdits } from '#grammar/source/edit.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { TextEdit, TreeOperation } from '#schemas/types/fix.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { readYamlText, type YamlFile } from './yaml-file.ts';

/** One change of a value. */
export type Operation = Extract<TreeOperation, { readonly kind: 'replace' | 'insert' | 'remove' }>;

/**
 * The text with one change in it. Where the value has an anchor, its aliases follow. What could not be read with certainty
 * must stand in the text as before: otherwise the change took more with it than it should.
 */
export async function changed(file: YamlFile, operation: Operation): Promise<string> {
  const { document } = file;
  if (document === undefined) return appended(file.text, operation);
  const wanted = document.isAliased(operation.route) ? document.value : applyChanges(document.value, changesOf(everywhere(document, operation))).value;
  const followed = await attempt(file, smallEdits(document, operation), wanted);
  if (followed !== undefined) return followed;
  const alone = applyChanges(document.value, changesOf([operation])).value;
  const text = await attempt(file, textEdits(document, [operation]), alone);
  if (text === undefined) throw fail.yamlNotEditable({ path: file.path });
  return text;
}

function smallEdits(document: Document, operation: Operation): readonly TextEdit[] {
  return document instanceof TextDocument ? new TreeEditor(document, changesOf([operation])).run() : [];
}

/** The text, where it holds the wanted value and the same doubts. */
async function attempt(file: YamlFile, edits: readonly TextEdit[], wanted: Json): Promise<string | undefined> {
  try {
    const text = applyEdits(file.text, edits);
    const { value, doubts } = await readYamlText(text, file.path);
    const shown = (one: string, list: YamlFile['doubts']): string => list.map(({ code, span }) => `${code} ${one.slice(span.start, span.end)}`).join('\n');
    return isSameValue(value, wanted) && shown(text, doubts) === shown(file.text, file.doubts) ? text : undefined;
  } catch {
    // Edits of an odd layout may overlap, or make a text that is none.
    return undefined;
  }
}

/** The operation at every place that is the same object as the one that it changes. */
function everywhere(document: Document, operation: Operation): readonly Operation[] {
  const holderRoute = operation.kind === 'insert' ? operation.route : operation.route.slice(0, -1);
  const holder = valueAt(document.value, holderRoute);
  if (!document.text.includes('*') || typeof holder !== 'object' || holder === null) return [operation];
  const below = operation.route.slice(holderRoute.length);
  return routesTo(document.value, holder).map((route) => ({ ...operation, route: [...route, ...below] }));
}

/** In memory of the way down, since aliases may lead to a million values. */
function routesTo(value: Json, wanted: object, route: Route = []): Route[] {
  if (value === wanted) return [route];
  if (typeof value !== 'object' || value === null) return [];
  const entries: Iterable<readonly [string | number, Json]> = Array.isArray(value) ? (value as readonly Json[]).entries() : (Object.entries(value) as [string, Json][]);
  return [...entries].flatMap(([key, item]) => routesTo(item, wanted, [...route, key]));
}

/** Comments are all that stands there. */
function appended(text: string, operation: Operation): string {
  if (operation.kind !== 'insert') return text;
  return `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${blockEntry(String(operation.key), operation.value, 0)}\n`;
}
