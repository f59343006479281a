import { join } from 'node:path';

import { expect, it, test } from 'vitest';

import { putFrom, codeTable } from '#stdlib/files/code-table.ts';
import { linesOf } from '#stdlib/files/formats/data-text.ts';
import { setting, type Refusals } from '#stdlib/files/formats/key-edits.ts';
import { readTrashInfo } from '#stdlib/files/safety/trash/trash-info.ts';
import { formOf } from '#stdlib/files/text-form.ts';
import { runFiles } from '#stdlib/lists/run-files.ts';
import { stepResults } from '#stdlib/lists/step-results.ts';
import * as fail from '#schemas/generated/failures.ts';

import { openPlace } from './call-here.ts';

test('a table of one byte a character reaches to its last byte', () => {
  const table = codeTable('windows-1252');
  const out = new Uint8Array(1);
  expect(table && putFrom(table)('ÿ'.codePointAt(0) ?? 0, out, 0)).toBe(1);
  expect(out[0]).toBe(0xff);
});

test('a line that is empty at the beginning of a piece is a line', async () => {
  async function* pieces(): AsyncGenerator<string, void> {
    yield '\nfirst\r\n';
    yield '\nlast';
  }
  const lines: string[] = [];
  for await (const line of linesOf(pieces(), 'a.jsonl')) lines.push(line);
  expect(lines).toEqual(['', 'first', '', 'last']);
});

it('puts objects where a plain value stands on the way to a key', () => {
  const never = (): never => {
    throw new Error('nothing is refused here');
  };
  const refuse: Refusals = { forbidden: never, keyInList: never, outOfRange: never };
  expect(setting({ a: 1 }, ['a', 'b', 'c'], true, refuse)).toEqual({
    kind: 'replace',
    route: ['a'],
    value: { b: { c: true } },
  });
  expect(setting({ a: { b: 1 } }, ['a', 'b'], 2, refuse)).toEqual({
    kind: 'replace',
    route: ['a', 'b'],
    value: 2,
  });
});

test('the time in the bin of a desktop is that of its place, before and after the clocks change', () => {
  const change = Date.UTC(2026, 2, 29, 1);
  const clock = { offset: (ms: number) => (ms < change ? 60 : 120) } as Parameters<typeof readTrashInfo>[1];
  const read = (wall: string): number | undefined =>
    readTrashInfo(`[Trash Info]\nPath=/a.txt\nDeletionDate=${wall}\n`, clock)?.trashed_at;
  expect(read('2026-03-29T01:30:00')).toBe(Date.UTC(2026, 2, 29, 0, 30) / 1000);
  expect(read('2026-03-29T03:30:00')).toBe(Date.UTC(2026, 2, 29, 1, 30) / 1000);
  expect(read('2026-01-01T12:00:00')).toBe(Date.UTC(2026, 0, 1, 11) / 1000);
});

test.each([
  ['utf-32', [0xff, 0xfe, 0, 0], 'utf-32-le'],
  ['utf-32', [0, 0, 0xfe, 0xff], 'utf-32-be'],
  ['utf-16', [0xfe, 0xff], 'utf-16-be'],
  ['utf-8', [0xef, 0xbb, 0xbf], 'utf-8'],
])('a file in %s that begins with %j keeps mark and order', async (encoding, mark, told) => {
  await using place = await openPlace();
  await place.make({ 'a.txt': Uint8Array.of(...mark, 0x41, 0, 0, 0) });
  const form = await formOf(place.context.files, join(place.root, 'a.txt'), encoding);
  expect(form).toEqual({ mark: Uint8Array.from(mark), encoding: told });
});

type Executor = Parameters<typeof runFiles>[1];

/** An executor that opens no file, for one reason a file. */
function broken(reasons: Readonly<Record<string, Error>>): Executor {
  return {
    open: ([file = '']: readonly string[]) => Promise.reject(reasons[file] ?? new Error('not asked for')),
  } as unknown as Executor;
}

test('of files that cannot be read the first gives the cause', async () => {
  const [first, second] = [fail.fileNotFound({ path: 'a.yaml' }), fail.fileNotFound({ path: 'b.yaml' })];
  const failure = runFiles(['a.yaml', 'b.yaml'], broken({ 'a.yaml': first, 'b.yaml': second }), stepResults);
  await expect(failure).rejects.toMatchObject({ cause: first });
});

test('what lacks to run any file is told as it is', async () => {
  const lacking = fail.executorMissing();
  await expect(runFiles(['a.yaml'], broken({ 'a.yaml': lacking }), stepResults)).rejects.toBe(lacking);
});
