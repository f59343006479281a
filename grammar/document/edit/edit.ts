import type { TextEdit, TreeOperation } from '#schemas/types/fix.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';
import { applyEdits } from '#grammar/source/edit.ts';

import { applyChanges } from './apply.ts';
import type { Document } from '../document.ts';
import { expandAliases } from './expand-aliases.ts';
import { Findings } from '../findings.ts';
import { changesOf } from './operations.ts';
import type { Change } from './operations.ts';
import { Overlay } from './overlay.ts';
import { printJson, printYaml } from '../print.ts';
import { isSameValue, valueAt } from '../route.ts';
import { readValue } from '../read-value.ts';
import { TextDocument } from '../text-document.ts';
import { TreeEditor } from './tree-editor.ts';
import { readYaml } from '../yaml/read.ts';

/**
 * Text edits that make the operations true in the file, keeping comments and layout: reading the edited text gives the
 * value that `overlay` gives. That is checked here; where a layout is too odd for small edits, the smallest value
 * around all operations is written anew (its comments are lost then), in the last resort the whole document. For an
 * overlay the operations are carried back to the file; where one of them speaks of what the overlay has added there are
 * no edits. Throws a RangeError when a route leads nowhere, or a value is none that a file can hold (infinity, half a
 * character).
 */
export function textEdits(document: Document | undefined, operations: readonly TreeOperation[]): readonly TextEdit[] {
  const edits = operations.flatMap((operation) =>
    operation.kind === 'edit-text' ? [{ span: operation.span, text: operation.text }] : [],
  );
  const onTree = operations.filter(({ kind }) => kind !== 'edit-text');
  if (onTree.length === 0 || document === undefined) return onTree.length === 0 ? edits : [];
  if (document instanceof Overlay) {
    const carried = onTree.map((operation) => carriedBack(document, operation));
    return carried.includes(undefined)
      ? []
      : [
          ...edits,
          ...textEdits(
            document.base,
            carried.filter((one) => one !== undefined),
          ),
        ];
  }
  if (!(document instanceof TextDocument)) throw new TypeError('Text edits need a document that was read from text.');
  return [...edits, ...treeEdits(document, onTree)];
}

function carriedBack(document: Overlay, operation: TreeOperation): TreeOperation | undefined {
  if (operation.kind === 'edit-text') return operation;
  const route = document.originOf(operation.route);
  if (route === undefined) return undefined;
  if (operation.kind !== 'move') return { ...operation, route };
  const to = document.originOf(operation.to);
  return to === undefined ? undefined : { ...operation, route, to };
}

function treeEdits(document: TextDocument, operations: readonly TreeOperation[]): readonly TextEdit[] {
  const changes = changesOf(operations);
  const wanted = applyChanges(document.value, changes).value;
  if (isSameValue(wanted, document.value)) return [];
  const small = new TreeEditor(document, changes).run();
  if (gives(document, small, wanted)) return small;
  const apart =
    withoutAliases(document, changes, wanted, 'through') ?? withoutAliases(document, changes, wanted, 'all');
  if (apart !== undefined) return apart;
  for (let around = commonRoute(operations); ; around = around.slice(0, -1)) {
    const anew = rewritten(document, around, wanted);
    if (anew !== undefined && gives(document, anew, wanted)) return anew;
    if (around.length > 0) continue;
    const whole = [wholeText(document, wanted)];
    if (gives(document, whole, wanted)) return whole;
    throw new RangeError('The operations make a value that no file can hold.');
  }
}

/** Greatest depth of aliases inside the values of other aliases. */
const MOST_TURNS = 8;

/** One edit that first writes aliases of what changes as copies, each with its comments, and then makes the changes. */
function withoutAliases(
  document: TextDocument,
  changes: Change,
  wanted: Json,
  which: 'through' | 'all',
): readonly TextEdit[] | undefined {
  if (document.format !== 'yaml') return undefined;
  let expanded = document;
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const copies = expandAliases(expanded, changes, which);
    const text = copies.length === 0 ? undefined : attempt(expanded.text, copies);
    const next = text === undefined ? undefined : reread(document, text);
    if (next === undefined || !isSameValue(next.value, document.value)) break;
    expanded = next;
  }
  if (expanded === document) return undefined;
  const text = attempt(expanded.text, new TreeEditor(expanded, changes).run());
  if (text === undefined) return undefined;
  const edits = [difference(document.text, text)];
  return gives(document, edits, wanted) ? edits : undefined;
}

function reread(document: TextDocument, text: string): TextDocument | undefined {
  const findings = new Findings(document.source);
  const reading = readYaml(text, document.limits, findings);
  if (reading.kind !== 'read') return undefined;
  return new TextDocument({
    source: document.source,
    text,
    hadByteOrderMark: document.hadByteOrderMark,
    value: reading.value,
    hasAliases: reading.hasAliases,
    poisoned: findings.poisoned,
    findings: findings.diagnostics.length,
    limits: document.limits,
    format: reading.format,
  });
}

/** The one edit between two texts: what they begin and end with alike stays. */
function difference(before: string, after: string): TextEdit {
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { span: { start, end: before.length - tail }, text: after.slice(start, after.length - tail) };
}

/** The route of the innermost value that holds everything which the operations change. */
function commonRoute(operations: readonly TreeOperation[]): Route {
  const holders = operations.flatMap((operation): Route[] => {
    if (operation.kind === 'edit-text') return [];
    if (operation.kind === 'insert') return [operation.route];
    return operation.kind === 'move' ? [operation.route.slice(0, -1), operation.to] : [operation.route.slice(0, -1)];
  });
  const [first = [], ...others] = holders;
  let length = first.length;
  for (const route of others) while (!first.slice(0, length).every((step, index) => route[index] === step)) length -= 1;
  return first.slice(0, length);
}

function rewritten(document: TextDocument, route: Route, wanted: Json): readonly TextEdit[] | undefined {
  const value = valueAt(wanted, route);
  if (value === undefined || route.length === 0 || valueAt(document.value, route) === undefined) return undefined;
  const changes: Change = changesOf([{ kind: 'replace', route, value }]);
  return new TreeEditor(document, changes).run();
}

function wholeText(document: TextDocument, value: Json): TextEdit {
  const text = document.format === 'json' ? printJson(value) : printYaml(value);
  return { span: { start: 0, end: document.text.length }, text: `${text}\n` };
}

function gives(document: TextDocument, edits: readonly TextEdit[], wanted: Json): boolean {
  const text = attempt(document.text, edits);
  if (text === undefined) return false;
  const read = readValue(text, document.format, document.limits);
  return read !== undefined && read.findings <= document.findings && isSameValue(read.value, wanted);
}

/** Small edits of an odd layout may overlap: then they are of no use. */
function attempt(text: string, edits: readonly TextEdit[]): string | undefined {
  try {
    return applyEdits(text, edits);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
