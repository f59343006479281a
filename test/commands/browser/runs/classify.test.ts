import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { session } from '../../call.ts';

type FailureClass = 'transient' | 'environment' | 'real' | 'flaky';

const texts = parse(readFileSync(new URL('./failure-texts.yaml', import.meta.url), 'utf8')) as Readonly<
  Record<FailureClass, readonly string[]>
>;
const corpus = Object.entries(texts).flatMap(([kind, list]) => list.map((text) => ({ kind, text })));

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-classify-'));
  const runs = [true, false, true].map((passed) => ({ path: 'wavers.json', passed }));
  await writeFile(join(root, 'ledger.json'), JSON.stringify({ runs }));
});
afterAll(() => rm(root, { recursive: true }));

describe('failures of the corpus', () => {
  it('are sorted as people sort them', async () => {
    await using unit = await session();
    expect(corpus.length).toBeGreaterThanOrEqual(300);
    const failures = corpus.map(({ kind, text }, index) => ({
      file_path: kind === 'flaky' ? 'wavers.json' : `steady-${index}.json`,
      exception: text,
    }));
    const found = Object.values(
      (await unit.call('WR_classify_failures', { failures, ledger_path: join(root, 'ledger.json') })) as object,
    ) as string[];
    const wrong = corpus.flatMap(({ kind, text }, index) =>
      found[index] === kind ? [] : [`${found[index]}: ${text}`],
    );
    expect(wrong).toEqual([]);
  });
});

describe('what decided', () => {
  it('stands beside the step: words of the text, or the history', async () => {
    await using unit = await session();
    const ledger_path = join(root, 'ledger.json');
    const told = async (name: string, params: object): Promise<unknown> => {
      await unit.call(name, params as Record<string, unknown>);
      return unit.evidence.map((piece) => (piece.kind === 'text' ? piece.text : piece.kind));
    };
    expect(await told('WR_classify_error', { error_repr: 'read ECONNRESET at socket' })).toEqual([
      'transient: the text says "ECONNRESET"',
    ]);
    expect(await told('WR_classify_error', { error_repr: 'expected 3' })).toEqual([]);
    const wavers = { error_repr: 'expected 3', ledger_path, file_path: 'wavers.json' };
    expect(await told('WR_classify_failure', wavers)).toEqual(['flaky: 2 of the latest 3 runs of wavers.json passed']);
    const failures = [{ exception: 'ENOSPC: no space' }, { function_name: 'WR_to_url', exception: 'expected 3' }];
    expect(await told('WR_classify_failures', { failures, ledger_path })).toEqual([
      '0: environment: the text says "ENOSPC"\nWR_to_url: real: neither its text nor its history says otherwise',
    ]);
  });
});

describe('WR_classify_failures', () => {
  it('gives each failure a name of its own, also where one is called as another would be numbered', async () => {
    await using unit = await session();
    const failures = ['a', 'a', 'a #2', 'a', undefined, '4', 'a #2'].map((function_name, index) => ({
      ...(function_name !== undefined && { function_name }),
      exception: index === 1 ? 'read ECONNRESET' : 'expected 3',
    }));
    const classes = (await unit.call('WR_classify_failures', { failures })) as object;
    expect(Object.keys(classes).toSorted()).toEqual(['4', '4 #2', 'a', 'a #2', 'a #2 #2', 'a #2 #3', 'a #3']);
    expect(classes).toMatchObject({ a: 'real', 'a #2': 'transient', 'a #2 #2': 'real' });
  });
});

describe('WR_classify_error', () => {
  it.each([
    ['ReadTimeoutError happened', null],
    ['TimeoutException: Message:', null],
    ['', null],
    [null, null],
    ['got 502 Bad Gateway', 'transient'],
    ['No space left on device, and 503 Service Unavailable', 'transient'],
    ['chromedriver: it was not to be found', 'environment'],
    ['WebDriverException: Message: unknown error', 'transient'],
    ['MyConnectionRefused', null],
  ])('%j is %j', async (text, kind) => {
    await using unit = await session();
    expect(await unit.call('WR_classify_error', { error_repr: text })).toBe(kind);
  });

  it('looks at long texts in time that grows with their length', async () => {
    await using unit = await session();
    expect(await unit.call('WR_classify_error', { error_repr: 'chromedriver not '.repeat(100_000) })).toBeNull();
  });
});

describe('WR_classify_failure', () => {
  it('needs ledger and file for flaky, and takes a missing ledger for no history', async () => {
    await using unit = await session();
    const ledger = join(root, 'ledger.json');
    const classOf = (params: object): Promise<unknown> =>
      unit.call('WR_classify_failure', { error_repr: 'expected 3', ...params });
    expect(await classOf({ ledger_path: ledger, file_path: 'wavers.json' })).toBe('flaky');
    expect(await classOf({ ledger_path: ledger, file_path: 'other.json' })).toBe('real');
    expect(await classOf({ ledger_path: ledger })).toBe('real');
    expect(await classOf({ ledger_path: join(root, 'none.json'), file_path: 'wavers.json' })).toBe('real');
    expect(await classOf({ error_repr: 'read ECONNRESET', ledger_path: ledger, file_path: 'wavers.json' })).toBe(
      'transient',
    );
  });
});
