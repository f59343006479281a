import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { JsonObject } from '#schemas/types/json.ts';

import { serve, type Served } from './open.ts';

let served: Served;
beforeAll(async () => {
  served = await serve('http', { denied: ['FA_remove_*'] });
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
});

async function post(body: unknown): Promise<readonly [number, JsonObject]> {
  const answer = await fetch(`${served.url}/actions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return [answer.status, (await answer.json()) as JsonObject];
}

describe('a list with a refused command', () => {
  it.each([
    ['with parameters that it does not take', [['FA_remove_dir_tree', { nonsense: 1 }]]],
    ['beside a command that is none', [['FA_nothing'], { FA_remove_dir_tree: ['d'] }]],
    ['inside of a list', [['FA_execute_action', { action_list: [['FA_remove_dir_tree', []]] }]]],
    ['in a control form', [{ if: 'nonsense(', then: ['FA_remove_dir_tree'] }]],
    ['under a key', { auto_control: [['FA_nothing']], teardown: [['FA_remove_dir_tree']] }],
  ])('is refused for it alone, %s', async (_where, list) => {
    expect(await post(list)).toEqual([403, { error: 'action not permitted: FA_remove_dir_tree' }]);
    expect(served.heard.at(-1)).toMatchObject({ outcome: '403', refused: 'FA_remove_dir_tree' });
  });

  it('is told of its mistakes where the name is only a value', async () => {
    const [status, { error }] = await post([['FA_create_file', { file_path: 'FA_remove_dir_tree', nonsense: 1 }]]);
    expect([status, error]).toEqual([422, expect.stringContaining('nonsense')]);
  });
});

describe('what only files can ask for', () => {
  it.each([
    ['matrix', { a: [1, 2] }],
    ['dataset', 'rows.csv'],
    ['depends_on', ['before']],
  ])('is refused in a list: meta.%s', async (key, value) => {
    writeFileSync(join(served.root, 'rows.csv'), 'a\n1\n2\n');
    writeFileSync(join(served.root, 'before.yaml'), 'actions: [{ FA_create_dir: [before] }]\n');
    const [status, { error }] = await post({
      actions: undefined,
      auto_control: [['FA_create_dir', ['made']]],
      meta: { [key]: value },
    });
    expect([status, error]).toEqual([422, expect.stringContaining(`meta.${key}`)]);
    expect(existsSync(join(served.root, 'made'))).toBe(false);
  });

  it('is refused in a file that a list names: rows of data', async () => {
    writeFileSync(join(served.root, 'rows.csv'), 'a\n1\n2\n');
    writeFileSync(
      join(served.root, 'each.yaml'),
      'meta: { dataset: rows.csv }\nactions: [{ FA_create_dir: ["r${ROW.a}"] }]\n',
    );
    const [, results] = await post([['FA_execute_files', [['each.yaml']]]]);
    expect(JSON.stringify(results)).toMatch(/each\.yaml: a file with a dataset runs by itself only/);
  });
});

describe('the results of a list', () => {
  it('stand beside the actions that they are of, also before and behind the body', async () => {
    const [status, results] = await post({
      auto_control: [['FA_create_dir', ['body']]],
      setup: [{ FA_create_dir: ['first'], name: 'before' }],
      teardown: [
        ['FA_mime_detect_bytes', ['aGVsbG8=']],
        ['FA_create_dir', ['last']],
      ],
    });
    expect([status, Object.keys(results)]).toEqual([
      200,
      [
        'execute[0]: {"FA_create_dir":["first"],"name":"before"}',
        'execute[1]: ["FA_create_dir",["body"]]',
        'execute[2]: ["FA_mime_detect_bytes",["aGVsbG8="]]',
        'execute[3]: ["FA_create_dir",["last"]]',
      ],
    ]);
  });
});

describe('an action that failed', () => {
  const failing = ['FA_file_checksum', ['nothing here']];

  it.each([
    [
      'of what differs',
      ['FA_verify_checksum', ['file.txt', 'ab'.repeat(32)]],
      { status: 'error', value: false, error: { type: expect.any(String) } },
    ],
    [
      'of the files of a manifest',
      ['FA_verify_manifest', ['kept', 'kept.json']],
      { status: 'error', value: { ok: false, missing: ['b.txt'], modified: ['a.txt'], matched: [] } },
    ],
    [
      'of each node of a graph',
      [
        'FA_execute_action_dag',
        {
          nodes: [
            { id: 'bad', action: failing },
            { id: 'child', action: ['FA_create_dir', ['child']], depends_on: ['bad'] },
            { id: 'other', action: ['FA_create_dir', ['other']] },
          ],
        },
      ],
      { status: 'error', value: { bad: { status: 'error' }, child: { status: 'skipped' }, other: { status: 'ok' } } },
    ],
    [
      'of each action of a list, also of one inside',
      ['FA_execute_action', [[failing, ['FA_execute_action', [[['FA_create_dir', ['inside']], failing]]]]]],
      {
        status: 'error',
        value: {
          'execute[0]: FA_file_checksum': { status: 'error' },
          'execute[1]: FA_execute_action': {
            status: 'error',
            value: {
              'execute[0]: FA_create_dir': { status: 'ok' },
              'execute[1]: FA_file_checksum': { status: 'error' },
            },
          },
        },
      },
    ],
  ])('tells its value beside the error: %s', async (_what, action, told) => {
    const manifest = { version: 1, algorithm: 'sha256', root: '.', created_at: '2026-01-02T03:04:05Z' };
    const file = { size: 9, checksum: 'ab'.repeat(32) };
    mkdirSync(join(served.root, 'kept'), { recursive: true });
    for (const name of ['file.txt', 'kept/a.txt']) writeFileSync(join(served.root, name), 'x');
    writeFileSync(
      join(served.root, 'kept.json'),
      JSON.stringify({ ...manifest, files: { 'a.txt': file, 'b.txt': file } }),
    );
    const [status, results] = await post([action]);
    expect([status, Object.values(results)[0]]).toMatchObject([200, told]);
  });
});

describe('a list that is nested without end', () => {
  it.each([[300], [100_000]])('is refused at %i levels', async (levels) => {
    const [status, { error }] = await post(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect([status, error]).toEqual([
      422,
      expect.stringContaining('More than 256 objects and lists stand inside one another.'),
    ]);
  });
});
