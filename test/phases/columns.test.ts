import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { CompileContext } from '#compiler/context.ts';
import { records } from '#compiler/phases/4-resolve/outside/csv-records.ts';
import { columnTypes } from '#compiler/phases/4-resolve/outside/column-types.ts';
import { Datasets } from '#compiler/phases/4-resolve/outside/dataset.ts';
import { rowsOfList } from '#compiler/phases/4-resolve/outside/json-rows.ts';
import { Reader } from '#compiler/reader.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';
import type { RowSource } from '#schemas/types/plan.ts';

/** A text in pieces that end at the given places. */
async function* cut(text: string, places: readonly number[]): AsyncGenerator<string> {
  let from = 0;
  for (const place of [...places.map((each) => each % (text.length + 1)).toSorted((a, b) => a - b), text.length]) {
    yield text.slice(from, place);
    from = place;
  }
}

const places = fc.array(fc.nat(200), { maxLength: 6 });

describe('rows in pieces', () => {
  it('of CSV have the types that they have in one piece', async () => {
    const letters = fc.constantFrom('a', '7', '"', ',', '\n', '\r', '\r\n', '""', ' ', 'true', '-1.5');
    await fc.assert(
      fc.asyncProperty(fc.array(letters, { maxLength: 40 }), places, async (parts, where) => {
        const text = `one,two\n${parts.join('')}`;
        const rows: RowSource = { path: 'a.csv', format: 'csv' };
        expect(await columnTypes(cut(text, where), rows, false)).toEqual(await columnTypes(cut(text, []), rows, false));
      }),
    );
  });

  it('of CSV are those of RFC 4180', () => {
    const text = 'a,"b ""x"",\r\ny"\r\n\r\n1,\n"",2\n3,"4';
    expect([...records(text, ',')]).toEqual([
      { cells: ['a', 'b "x",\r\ny'], line: 1 },
      { cells: ['1', ''], line: 4 },
      { cells: ['', '2'], line: 5 },
      { cells: ['3', '4'], line: 6 },
    ]);
  });

  it('of a list are those that JSON.parse reads', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 5 }), places, fc.boolean(), async (list, where, wide) => {
        const text = JSON.stringify(list, undefined, wide ? 2 : 0);
        const rows = [];
        for await (const { value } of rowsOfList(cut(` ${text}\n`, where))) rows.push(value);
        expect(rows).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(['[1', '{"a":1}', '[1,]', '[1]2', '[1}', '[,1]', '[1][2]', ''])('of %j are none', async (text) => {
    const read = async (): Promise<void> => {
      for await (const _ of rowsOfList(cut(text, [1, 2])));
    };
    await expect(read()).rejects.toThrow();
  });
});

async function contextOf(files: Readonly<Record<string, string>>, limit: number): Promise<CompileContext> {
  const host = memoryHost({ cwd: '/work' });
  for (const [path, text] of Object.entries(files)) await host.files.write(path, text, { parents: true });
  const reader = new Reader(host.files, { roots: ['/work'], limit });
  return { host, reader, root: '/work' } as unknown as CompileContext;
}

describe('columns of a dataset', () => {
  const csv: RowSource = { path: 'a.csv', format: 'csv' };
  const many = `name,age\n${'ann,3\n'.repeat(400_000)}`;

  it('are those of all rows of a file that is larger than one that is read whole', async () => {
    const datasets = new Datasets();
    const context = await contextOf({ '/work/a.csv': `${many}ben,old\n` }, 1024 * 1024);
    const columns = await datasets.columns('/work/a.csv', csv, context);
    expect(columns?.get('age')?.read).toEqual([{ type: 'string' }, { type: 'integer' }]);
    expect(columns?.get('name')?.read).toEqual([{ type: 'string' }]);
  });

  it('are known by name alone where the file is larger still', async () => {
    const columns = await new Datasets().columns('/work/a.csv', csv, await contextOf({ '/work/a.csv': many }, 1024));
    expect([...(columns?.keys() ?? [])]).toEqual(['name', 'age']);
    expect(columns?.get('name')?.read).toEqual([{ type: 'string' }, { type: 'number' }, { type: 'boolean' }]);
  });

  it('are found out once for a content, and anew for another of the same size', async () => {
    const datasets = new Datasets();
    const context = await contextOf(
      { '/work/a.csv': 'a\n1\n', '/work/b.csv': 'a\n1\n', '/work/c.csv': 'a\nx\n' },
      1024,
    );
    const [one, same, other] = [
      await datasets.columns('/work/a.csv', csv, context),
      await datasets.columns('/work/b.csv', csv, context),
      await datasets.columns('/work/c.csv', csv, context),
    ];
    expect(same).toBe(one);
    expect(other?.get('a')?.read).toEqual([{ type: 'string' }]);
    const limited = await datasets.columns('/work/a.csv', { ...csv, limit: 1 }, context);
    expect(limited).not.toBe(one);
  });

  it('of a list of JSON go on over all of its rows', async () => {
    const rows = `[${'{"n":1,"t":"x"},'.repeat(50_000)}{"n":1.5,"t":null}]`;
    const columns = await new Datasets().columns(
      '/work/a.json',
      { path: 'a.json', format: 'json' },
      await contextOf({ '/work/a.json': rows }, 1024 * 1024),
    );
    expect(columns?.get('n')?.written).toEqual([{ type: 'integer' }, { type: 'number' }]);
    expect(columns?.get('t')?.written).toEqual([{ type: 'string' }, { type: 'null' }]);
  });
});
