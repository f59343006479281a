import { applyChanges } from '#grammar/document/edit/apply.ts';
import type { Document } from '#grammar/document/document.ts';
import { textEdits } from '#grammar/document/edit/edit.ts';
import { changesOf } from '#grammar/document/edit/operations.ts';
import { ALIASED } from '#grammar/document/places.ts';
import { blockEntry } from '#grammar/document/print.ts';
import { isSameValue, valueAt } from '#grammar/document/route.ts';
import { TextDocument } from '#grammar/document/text-document.ts';
import { TreeEditor } from '#grammar/document/edit/tree-editor.ts';
import { applyEdits } from '#grammar/source/edit.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { TextEdit } from '#schemas/types/fix.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Route, Span } from '#schemas/types/place.ts';

import type { Operation } from '../key-edits.ts';

import { readYamlText, type YamlFile } from './yaml-file.ts';

/** Edits, and the value that the text has with them. */
interface Way {
  readonly edits: readonly TextEdit[];
  readonly wanted: Json;
}

/**
 * The text with one change in it. Where the value has an anchor, its aliases follow. A value that could not be
 * read with certainty must stand in the text as before, and so must the comments: otherwise the change took more
 * with it than it should.
 */
export async function changed(file: YamlFile, operation: Operation): Promise<string> {
  const { document } = file;
  if (!(document instanceof TextDocument)) return appended(file.text, operation);
  for (const way of waysOf(document, operation)) {
    const text = await attempt(file, way, operation);
    if (text !== undefined) return text;
  }
  throw fail.yamlNotEditable({ path: file.path });
}

/** Ways of making the change, from the least change of the text on. */
function* waysOf(document: TextDocument, operation: Operation): Generator<Way, void> {
  const alone = (): Json => applyChanges(document.value, changesOf([operation])).value;
  if (!document.isAliased(operation.route)) {
    const aliases = operation.kind === 'insert' ? [] : aliasesOf(document, operation.route);
    const all =
      operation.kind === 'replace' ? [operation, ...aliases.map((route) => ({ ...operation, route }))] : [operation];
    const wanted = applyChanges(document.value, changesOf(all.flatMap((one) => everywhere(document, one)))).value;
    yield { edits: withAnchor(document, operation, smallEdits(document, [operation])), wanted };
    const value = valueAt(document.value, operation.route) ?? null;
    if (operation.kind === 'remove')
      yield {
        edits: smallEdits(document, [
          operation,
          ...aliases.map((route) => ({ kind: 'replace', route, value }) as const),
        ]),
        wanted: alone(),
      };
  }
  const edits = largerEdits(document, operation);
  const isWhole = edits.some(({ span }) => span.start === 0 && span.end === document.text.length);
  if (!isWhole || operation.route.length === 0 || /^\s*[[{]/.test(document.text)) yield { edits, wanted: alone() };
}

function smallEdits(document: TextDocument, operations: readonly Operation[]): readonly TextEdit[] {
  return new TreeEditor(document, changesOf(operations)).run();
}

/** None where there are none. */
function largerEdits(document: TextDocument, operation: Operation): readonly TextEdit[] {
  try {
    return textEdits(document, [operation]);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** Aliases of the value itself that stand outside of it. */
function aliasesOf({ places, text }: TextDocument, route: Route): readonly Route[] {
  if (!text.includes('*')) return [];
  const { id: target } = places.find(route);
  const ids = Array.from({ length: places.count }, (_, id) => id);
  return ids
    .filter((id) => places.kind(id) === ALIASED && places.followed(id) === target)
    .map((id) => places.route(id));
}

/** A value that takes the place of one with an anchor gets the anchor. */
function withAnchor(
  { places, text }: TextDocument,
  { kind, route }: Operation,
  edits: readonly TextEdit[],
): readonly TextEdit[] {
  const { id } = places.find(route);
  const start = places.propertiesStart(id);
  const [anchor] = /&[^\s,[\]{}]+/.exec(text.slice(start, places.start(id))) ?? [];
  if (kind !== 'replace' || anchor === undefined) return edits;
  return edits.map((edit) =>
    edit.span.start === start
      ? { ...edit, text: /^\s/.test(edit.text) ? anchor + edit.text : `${anchor} ${edit.text}` }
      : edit,
  );
}

/**
 * The text, where it holds the wanted value, the same doubts, and the comments that do not stand in what has changed.
 */
async function attempt(file: YamlFile, { edits, wanted }: Way, operation: Operation): Promise<string | undefined> {
  try {
    const text = applyEdits(file.text, edits);
    const { document, value, doubts } = await readYamlText(text, file.path);
    const shown = (one: string, list: YamlFile['doubts']): string =>
      list.map(({ code, span }) => `${code} ${one.slice(span.start, span.end)}`).join('\n');
    const isRight =
      isSameValue(value, wanted) &&
      shown(text, doubts) === shown(file.text, file.doubts) &&
      hasComments(document, commentsAround(file, operation));
    return isRight ? text : undefined;
  } catch {
    // Edits of an odd layout may overlap, or make a text that is none.
    return undefined;
  }
}

/**
 * Comments around a value: those between a key and the end of the last line of its value belong to these,
 * unless one line holds them all.
 */
function commentsAround({ document }: YamlFile, { kind, route }: Operation): readonly string[] {
  if (document === undefined || kind === 'insert') return (document?.comments() ?? []).map(({ text }) => text);
  const { text } = document;
  const { start } = beginOf(document, route);
  const { end } = document.spanAt(route);
  const isLine = kind === 'replace' && !text.slice(start, end).includes('\n');
  const lineEnd = isLine ? end : text.slice(end).search(/$/m) + end;
  return document
    .comments()
    .filter(({ span }) => span.end <= start || span.start >= lineEnd)
    .map((comment) => comment.text);
}

/** The key of a value, or the dash of an item; else the value itself. */
function beginOf(document: Document, route: Route): Span {
  const dash = document instanceof TextDocument ? document.places.key(document.places.find(route).id) : undefined;
  return dash ?? document.spanAt(route, 'key');
}

function hasComments(document: Document | undefined, wanted: readonly string[]): boolean {
  const left = new Map<string, number>();
  for (const { text } of document?.comments() ?? []) left.set(text, (left.get(text) ?? 0) + 1);
  return wanted.every((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0;
  });
}

/** The operation at every place that is the same object as the one that it changes. */
function everywhere(document: Document, operation: Operation): readonly Operation[] {
  const holderRoute = operation.kind === 'insert' ? operation.route : operation.route.slice(0, -1);
  const holder = valueAt(document.value, holderRoute);
  if (!document.text.includes('*') || typeof holder !== 'object' || holder === null) return [operation];
  const below = operation.route.slice(holderRoute.length);
  return routesTo(document.value, holder).map((route) => ({ ...operation, route: [...route, ...below] }));
}

/** Routes to an object; only the way down is held in memory, since aliases may lead to a million values. */
function routesTo(value: Json, wanted: object, route: Route = []): Route[] {
  if (value === wanted) return [route];
  if (typeof value !== 'object' || value === null) return [];
  const entries: Iterable<readonly [string | number, Json]> = Array.isArray(value)
    ? (value as readonly Json[]).entries()
    : Object.entries(value);
  return [...entries].flatMap(([key, item]) => routesTo(item, wanted, [...route, key]));
}

/** Comments are all that stands there. */
function appended(text: string, operation: Operation): string {
  if (operation.kind !== 'insert') return text;
  return `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${blockEntry(String(operation.key), operation.value, 0)}\n`;
}
