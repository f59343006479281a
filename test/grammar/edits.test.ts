import { describe, expect, it } from 'vitest';

import { textEdits } from '#grammar/document/edit/edit.ts';
import { overlay } from '#grammar/document/edit/overlay.ts';
import { readDocument } from '#grammar/document/read.ts';
import { applyEdits } from '#grammar/source/edit.ts';
import type { TreeOperation } from '#schemas/types/fix.ts';

import { casesOf, settle } from './case-file.ts';

const file = new URL('edits/cases.yaml', import.meta.url);
const cases = await casesOf(file);

describe('operations as text edits', () => {
  for (const one of cases) {
    it(one.name, async () => {
      const source = one.given['format'] === 'json' ? 'a.json' : 'a.yaml';
      const operations = one.given['operations'] as unknown as readonly TreeOperation[];
      const { document } = await readDocument(one.input, { source });
      const text = applyEdits(one.input, textEdits(document, operations));
      await settle(file, one, text);
      const after = await readDocument(text, { source });
      expect(after.diagnostics).toEqual([]);
      if (document !== undefined) expect(after.document?.value).toEqual(overlay(document, operations).value);
    });
  }
});

describe('edits that cannot be', () => {
  it.each([
    ['a route that leads nowhere', { kind: 'replace', route: ['b'], value: 1 }],
    ['a value moved into itself', { kind: 'move', route: ['a'], to: ['a', 'c'], key: 'x' }],
    ['a value that no file can hold', { kind: 'replace', route: ['a'], value: Infinity }],
    ['half a character', { kind: 'replace', route: ['a'], value: '\ud83d' }],
  ] as const)('%s', async (_, operation) => {
    const { document } = await readDocument('a: {c: {}}\n', { source: 'a.yaml' });
    expect(() => textEdits(document, [operation])).toThrow(RangeError);
  });

  it('without a document only edits of the text are left', () => {
    const edit = { kind: 'edit-text', span: { start: 0, end: 1 }, text: 'x' } as const;
    expect(textEdits(undefined, [edit])).toEqual([{ span: edit.span, text: 'x' }]);
    expect(textEdits(undefined, [edit, { kind: 'remove', route: ['a'] }])).toEqual([]);
  });

  it('of what an overlay has added there are none', async () => {
    const { document } = await readDocument('a: {b: 1}\n', { source: 'a.yaml' });
    if (document === undefined) throw new Error('There is no document.');
    const shown = overlay(document, [
      { kind: 'insert', route: ['a'], key: 'c', value: { d: 1 } },
      { kind: 'rename-key', route: ['a', 'b'], key: 'e' },
    ]);
    expect(textEdits(shown, [{ kind: 'replace', route: ['a', 'c', 'd'], value: 2 }])).toEqual([]);
    expect(applyEdits(shown.text, textEdits(shown, [{ kind: 'replace', route: ['a', 'e'], value: 2 }]))).toBe(
      'a: {b: 2}\n',
    );
  });
});
