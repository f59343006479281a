import type { Linted } from '#compiler/api.ts';
import { fixEdits } from '#compiler/report/fix-edits.ts';
import { documentOf, locate, type Located, type Sources } from '#compiler/report/locate.ts';
import type { Document } from '#grammar/document/document.ts';
import { textEdits } from '#grammar/document/edit/edit.ts';
import { applyEdits, compatible } from '#grammar/source/edit.ts';
import { addAll } from '#grammar/source/add-all.ts';
import type { Fix, TextEdit, TreeOperation } from '#schemas/types/fix.ts';

import { sourcesOf } from '#compiler/engine/sources-of.ts';

/** The texts of files with their safe fixes applied, by path; fixes that touch each other wait for the next round. */
export function fixedTexts({ compilation, diagnostics }: Linted): ReadonlyMap<string, string> {
  const sources = sourcesOf(compilation.files);
  const texts = new Map<string, string>();
  const bySource = Map.groupBy(locate(diagnostics, sources), ({ primary }) => primary.source);
  for (const file of compilation.files.filter(({ isPulledIn }) => !isPulledIn)) {
    const wanted = (bySource.get(file.source) ?? []).flatMap((finding) => {
      const fix = finding.diagnostic.fixes.find(({ safety }) => safety === 'safe');
      return fix ? [{ finding, fix }] : [];
    });
    const text = applyEdits(file.text, editsOf(wanted, sources));
    if (text !== file.text) texts.set(file.path, text);
  }
  return texts;
}

interface Wanted {
  readonly finding: Located;
  readonly fix: Fix;
}

/** So many at once are made and checked together, which costs as much as one. */
const BATCH = 64;

/**
 * Edits of the wanted fixes. Those of migrate speak of the file as written, the others of it as migrated: where
 * both are there, one kind waits.
 */
function editsOf(wanted: readonly Wanted[], sources: Sources): readonly TextEdit[] {
  const [first] = wanted;
  if (!first) return [];
  const documentFor = ({ finding }: Wanted): Document | undefined =>
    documentOf(finding.diagnostic, sources.get(finding.primary.source));
  const document = documentFor(first);
  const now = wanted.filter((each) => documentFor(each) === document);
  const onText = now.filter(({ fix }) => fix.operations.every(({ kind }) => kind === 'edit-text'));
  const isOnText = new Set(onText);
  const onTree = now.filter((each) => !isOnText.has(each));
  const groups: (readonly TextEdit[])[] = [];
  for (let at = 0; at < onTree.length; at += BATCH)
    addAll(groups, together(onTree.slice(at, at + BATCH), document, sources));
  addAll(
    groups,
    onText.map(({ finding, fix }) => fixEdits(finding, fix, sources)),
  );
  return compatible(groups.map((edits) => ({ edits }))).flatMap(({ edits }) => edits);
}

/** The edits of several fixes: in one piece where they do not touch and small edits do, else each by itself. */
function together(
  wanted: readonly Wanted[],
  document: Document | undefined,
  sources: Sources,
): readonly (readonly TextEdit[])[] {
  const operations = [
    ...new Map(
      wanted.flatMap(({ fix }) => fix.operations).map((operation) => [JSON.stringify(operation), operation]),
    ).values(),
  ];
  if (areApart(operations)) {
    const edits = textEdits(document, operations);
    // Fewer edits than operations: something larger was written anew.
    if (edits.length >= operations.length) return [edits];
  }
  return wanted.map(({ finding, fix }) => fixEdits(finding, fix, sources));
}

/** Whether none of the operations is about something that another one is about, or that it holds. */
function areApart(operations: readonly TreeOperation[]): boolean {
  const routes = operations.flatMap((operation) =>
    operation.kind === 'rename-key' || operation.kind === 'replace' ? [operation.route] : [],
  );
  if (routes.length < 2 || routes.length < operations.length) return false;
  const whole = new Set(routes.map((route) => JSON.stringify(route)));
  const above = routes.flatMap((route) => route.map((_, index) => JSON.stringify(route.slice(0, index))));
  return whole.size === routes.length && !above.some((route) => whole.has(route));
}
