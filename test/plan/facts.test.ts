import { describe, expect, it } from 'vitest';

import { check } from '#compiler/api.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';
import type { Node, Plan } from '#schemas/types/plan.ts';

async function planOf(actions: unknown): Promise<Plan> {
  const compilation = await check(
    [{ path: '/work/a.json', content: JSON.stringify(actions) }],
    { root: '/work' },
    memoryHost({ cwd: '/work' }),
  );
  expect(compilation.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return compilation.seal().plan;
}

const get = { http_method: 'get', test_url: 'https://shop.test:8443/orders' };

describe('status_judged', () => {
  // `compiler/language/steps.md`: a step fails for a status of 400 and above only when nothing speaks of the status.
  it.each([
    ['expect of the result', { AT_test_api_method: get, expect: 'result.status_code == 404' }, true],
    [
      'expect of last_response',
      { AT_test_api_method: get, expect: ['result.text == ""', '!(last_response.status_code < 400)'] },
      true,
    ],
    ['result_check_dict', { AT_test_api_method: { ...get, result_check_dict: { status_code: 404 } } }, true],
    ['expect of something else', { AT_test_api_method: get, expect: 'result.json.status_code == 404' }, undefined],
    ['a check of something else', { AT_test_api_method: { ...get, result_check_dict: { text: 'ok' } } }, undefined],
    ['nothing', ['AT_test_api_method', get], undefined],
  ])('is decided by %s', async (_, action, expected) => {
    const {
      units: [unit],
    } = await planOf([action]);
    expect(unit?.body[0]?.status_judged).toBe(expected);
  });
});

describe('needs', () => {
  it('name hosts, ports with those behind them, and packages', async () => {
    const {
      units: [unit],
    } = await planOf([
      ['AT_test_api_method', get],
      ['WR_pw_launch', {}],
      ['FA_copy_file', { source: 'a.txt', target: 'b.txt' }],
      ['AT_set_variable', { name: 'x', value: '${ENV.HOST:-a} ${env:PORT:-1}' }],
    ]);
    expect(unit?.needs.hosts).toEqual(['shop.test:8443']);
    expect(unit?.needs.ports).toEqual(expect.arrayContaining(['cookies', 'files', 'http', 'playwright']));
    expect(unit?.needs.packages).toContain('playwright-core');
    expect(unit?.needs.files).toEqual(['a.txt', 'b.txt']);
    expect(unit?.needs.env).toEqual(['HOST', 'PORT']);
  });
});

describe('an address that chooses a provider', () => {
  const needsOf = async (db_path: string): Promise<Plan['units'][number]['needs'] | undefined> =>
    (
      await planOf({
        meta: { inputs: { where: { type: 'string' } } },
        actions: [['FA_db_lock_status', { db_path, name: 'report' }]],
      })
    ).units[0]?.needs;

  it.each([
    ['locks.db', ['leases', 'sqlite']],
    ['postgresql://{{where}}', ['leases', 'outbound', 'postgres']],
    ['mysql://db.test/locks', ['leases', 'mysql', 'outbound']],
    ['{{where}}', ['leases', 'mysql', 'outbound', 'postgres', 'sqlite']],
    ['redis://db.test/0', ['leases']],
  ])('needs that one alone: %s', async (place, ports) => {
    expect((await needsOf(place))?.ports).toEqual(ports);
  });

  it('is a host, and no file', async () => {
    expect(await needsOf('mysql://u:p@db.test:3306/locks')).toMatchObject({ hosts: ['db.test:3306'], files: [] });
    expect(await needsOf('locks.db')).toMatchObject({ hosts: [], files: ['locks.db'] });
  });
});

describe('steps that may not be repeated', () => {
  it('get no retry of meta, and keep their own', async () => {
    const {
      units: [unit],
    } = await planOf({
      meta: { retry: 3 },
      actions: [
        { FA_execute_action: [['AT_fake_uuid']] },
        { FA_execute_action: [['AT_fake_uuid']], retry: 2 },
        'AT_fake_uuid',
      ],
    });
    const retry = (node: Node | undefined) => node?.retry?.max_attempts;
    expect(unit?.body.map(retry)).toEqual([undefined, 2, 3]);
    expect(unit?.body[0]?.args['action_list']).toMatchObject({
      block: [{ id: 'a.json#0.action_list.0', retry: { max_attempts: 3 } }],
    });
  });
});
