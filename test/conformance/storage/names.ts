import { beforeAll, expect, test } from 'vitest';

import type { Backend } from '#stdlib/files/backends/backend.ts';

import { content, failureNamed, listAll, put, readAll, type StorageService } from './service.ts';

const encoder = new TextEncoder();
const options = { signal: new AbortController().signal };

const names: readonly (readonly [what: string, name: string])[] = [
  ['a plain name', 'plain.txt'],
  ['blanks', 'with two  blanks.txt'],
  ['a blank at the beginning', ' leading.txt'],
  ['a blank at the end', 'trailing '],
  ['a percent sign', '100%.txt'],
  ['an escape', 'a%20b%2Fc.txt'],
  ['a hash', 'a#b.txt'],
  ['a question mark', 'what?.txt'],
  ['an ampersand and an equals sign', 'a&b=c.txt'],
  ['a plus sign', 'a+b.txt'],
  ['a semicolon and a comma', 'a;b,c.txt'],
  ['a colon', 'a:b.txt'],
  ['quotes', `it's "so".txt`],
  ['a backslash', 'a\\b.txt'],
  ['angle brackets', 'a<b>c.txt'],
  ['brackets and braces', '[a]{b}(c).txt'],
  ['stars', 'a*b.txt'],
  ['a dollar and a backtick', '$HOME`x`.txt'],
  ['a pipe and a tilde', '~a|b.txt'],
  ['a leading dot', '.hidden'],
  ['two leading dots', '..two'],
  ['three dots', '...'],
  ['a dot at the end', 'ends.'],
  ['a leading dash', '-rf'],
  ['an at sign and an exclamation mark', 'a@b!.txt'],
  ['composed accents', 'caf\u00e9.txt'],
  ['decomposed accents', 'cafe\u0301.txt'],
  ['letters of other alphabets', 'Ωμέγα-мир-世界.txt'],
  ['characters beyond the first plane', '🎉𝒳.txt'],
  ['letters from right to left', 'שלום.txt'],
  ['200 letters', `${'n'.repeat(196)}.txt`],
  ['capital letters', 'ReadMe.TXT'],
];

/** Names that hold whatever a name may hold, and those that are refused. */
export function describeNames(started: () => StorageService, fresh: () => Promise<string>): void {
  let service: StorageService;
  let backend: Backend;
  beforeAll(() => {
    service = started();
    ({ backend } = service);
  });

  test.each(names)('holds %s', async (_what, file) => {
    if (service.cannotHold?.(file)) return;
    const folder = await fresh();
    const path = `${folder}/${file}`;
    await put(backend, path, `content of ${file}`);
    expect(new TextDecoder().decode(await readAll(backend, path))).toBe(`content of ${file}`);
    expect(await backend.stat(path, options)).toMatchObject({ kind: 'file', path, name: file });
    expect((await listAll(backend, folder)).map((entry) => [entry.path, entry.name])).toEqual([[path, file]]);
    await backend.remove(path, options);
    expect(await backend.stat(path, options)).toBeUndefined();
    expect(await listAll(backend, folder)).toEqual([]);
  });

  test('tells both forms of an accent apart, or takes them for one', async () => {
    const folder = await fresh();
    await put(backend, `${folder}/caf\u00e9`, 'one');
    await put(backend, `${folder}/cafe\u0301`, 'other');
    const found = (await listAll(backend, folder)).map((entry) => entry.name);
    expect([1, 2]).toContain(found.length);
    if (found.length === 2) expect(new TextDecoder().decode(await readAll(backend, `${folder}/caf\u00e9`))).toBe('one');
  });

  test.each(['a\nb', 'a\rb', 'a\0b'])('refuses %j before anything is sent', async (file) => {
    if (service.takesLines) return;
    const folder = await fresh();
    expect(await failureNamed(backend.write(`${folder}/${file}`, content(encoder.encode('x')), options))).toBe(
      'storage-path',
    );
    expect(await listAll(backend, folder)).toEqual([]);
  });

  test('holds folders with such names', async () => {
    const folder = await fresh();
    for (const part of ['a b', '100%', '#1', 'é', '.dot'])
      if (!service.cannotHold?.(part)) {
        await backend.makeFolder(`${folder}/${part}/in`, options);
        await put(backend, `${folder}/${part}/in/file`, part);
        expect(new TextDecoder().decode(await readAll(backend, `${folder}/${part}/in/file`))).toBe(part);
      }
  });
}
