import { mkdir, mkdtemp, realpath, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startHttp, type Started } from './api/servers.ts';
import { session, type Session } from './session.ts';
import { svc } from '../cli/svc.ts';

/** Ports that keep state from step to step, which a row must not see. */
const GO_BACK = [
  'audit',
  'config',
  'fake',
  'http',
  'integrity',
  'mockHttp',
  'notify',
  'playwright',
  'requestLog',
  'schedule',
  'testObjects',
  'tracing',
  'watch',
  'webdriver',
];

const repository = fileURLToPath(new URL('../..', import.meta.url));

it('every port with state says how it goes back between rows', async () => {
  const goBack: string[] = [];
  for (const folder of ['runtime', 'stdlib']) {
    for (const path of await readdir(join(repository, folder), { recursive: true })) {
      if (!/(?:^|[\\/])port\.yaml$/.test(path)) continue;
      const file = join(repository, folder, path);
      const { port, module } = load(await readFile(file, 'utf8')) as { port: string; module: string };
      if (/\beachRow\(/.test(await readFile(join(dirname(file), module), 'utf8'))) goBack.push(port);
    }
  }
  expect(goBack).toEqual(expect.arrayContaining(GO_BACK));
});

describe('a row starts from the state after setup', () => {
  let root = '';
  let server: Started;
  let unit: Session;
  const at = (name: string): string => join(root, name);
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'svc-rows-')));
    await mkdir(at('watched'));
    server = await startHttp(({ url = '', headers }, response) => {
      if (url.startsWith('/set/')) response.setHeader('set-cookie', `${url.slice(5)}=1; Path=/`);
      response.end(headers.cookie ?? '');
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await rm(root, { recursive: true });
  });

  async function open(): Promise<void> {
    unit = await session({
      root,
      settings: { gates: { private: true, shell: true, script: true } },
      unit: { rows: { path: 'x.csv', format: 'csv' } },
    });
  }
  const next = (): Promise<string | undefined> => unit.work.rows?.restore() ?? Promise.resolve('no rows');
  const get = (path: string): Promise<unknown> =>
    unit.call('AT_test_api_method', { http_method: 'session_get', test_url: `${server.url}${path}` });

  /**
   * Expects that the effects of setup stay and those of a row are gone, twice; also where the port was not yet
   * open in setup.
   */
  async function holds(
    setup: (() => Promise<unknown>) | undefined,
    row: () => Promise<unknown>,
    look: () => Promise<unknown>,
    expected: { readonly after: unknown; readonly row: unknown },
  ): Promise<void> {
    await open();
    try {
      await setup?.();
      await unit.work.rows?.begin();
      for (let turn = 0; turn < 2; turn++) {
        await row();
        expect(await look()).toEqual(expected.row);
        expect(await next()).toBeUndefined();
        expect(await look()).toEqual(expected.after);
      }
    } finally {
      await unit.end();
    }
  }

  it.each([false, true])('cookies of the HTTP session (setup has some: %s)', async (before) => {
    await holds(
      before ? () => get('/set/old') : undefined,
      () => get('/set/new'),
      async () => ((await get('/')) as { text: string }).text,
      before ? { after: 'old=1', row: 'old=1; new=1' } : { after: '', row: 'new=1' },
    );
  });

  const route = (rule: string): Promise<unknown> =>
    unit.call('AT_mock_add_template_route', { rule, body_template: rule });
  let url = '';
  const routes = async (): Promise<unknown> => {
    return Promise.all(['/old', '/new'].map(async (path) => (await fetch(url + path)).status));
  };

  it('routes, state and requests of a mock, and the mock itself', async () => {
    await holds(
      async () => {
        ({ url } = (await unit.call('AT_start_mock_server', { port: 0 })) as { url: string });
        await route('/old');
      },
      () => route('/new'),
      routes,
      { after: [200, 404], row: [200, 200] },
    );
    await holds(
      async () => ({ url } = (await unit.call('AT_start_mock_server', { port: 0 })) as { url: string }),
      async () => {
        await unit.call('AT_stop_mock_server');
        await unit.call('AT_start_mock_server', { port: 0 });
      },
      async () => {
        return fetch(url).then(
          ({ status }) => status,
          () => 'closed',
        );
      },
      { after: 200, row: 'closed' },
    );
    await holds(
      undefined,
      () => unit.call('AT_start_mock_server', { port: 0 }),
      async () => (await unit.step('AT_mock_received')).failure?.facts.name ?? 'runs',
      { after: 'MockServerException', row: 'runs' },
    );
  });

  const names = async (command: string): Promise<unknown> =>
    ((await unit.call(command)) as { name: string }[]).map(({ name }) => name);
  const watch = (name: string): Promise<unknown> =>
    unit.call('FA_watch_start', { name, path: at('watched'), action_list: [['FA_generate_key', {}]] });

  it('watches, schedules, notification sinks', async () => {
    await holds(
      () => watch('old'),
      async () => {
        await watch('new');
        await unit.call('FA_watch_stop', { name: 'old' });
      },
      () => names('FA_watch_list'),
      { after: ['old'], row: ['new'] },
    );
    await holds(
      () =>
        unit.call('FA_schedule_add', {
          name: 'old',
          cron_expression: '0 0 1 1 *',
          action_list: [['FA_generate_key', {}]],
        }),
      async () => {
        await unit.call('FA_schedule_add', {
          name: 'new',
          cron_expression: '0 0 1 1 *',
          action_list: [['FA_generate_key', {}]],
        });
        await unit.call('FA_schedule_remove', { name: 'old' });
      },
      () => names('FA_schedule_list'),
      { after: ['old'], row: ['new'] },
    );
    const sink = (name: string): Promise<unknown> =>
      unit.call('FA_notify_register', { type: 'webhook', name, options: { url: server.url } });
    await holds(
      () => sink('old'),
      () => sink('new'),
      () => names('FA_notify_list'),
      { after: ['old'], row: ['old', 'new'] },
    );
  });

  it('the audit log that is open', async () => {
    const rows = async (): Promise<unknown> => (await unit.step('FA_audit_count')).result ?? 'closed';
    await holds(undefined, () => unit.call('FA_audit_open', { db_path: at('row.db') }), rows, {
      after: 'closed',
      row: expect.any(Number),
    });
  });

  it('integrity monitors', async () => {
    await open();
    await unit.call('FA_write_manifest', { root: at('watched'), manifest_path: at('m.json') });
    await unit.end();
    const monitor = (name: string): Promise<unknown> =>
      unit.call('FA_integrity_start', { name, root: at('watched'), manifest_path: at('m.json'), interval: 60 });
    await holds(
      () => monitor('old'),
      async () => {
        await monitor('new');
        await unit.call('FA_integrity_stop', { name: 'old' });
      },
      () => names('FA_integrity_list'),
      { after: ['old'], row: ['new'] },
    );
  });

  it('variables of the environment, closed gates, saved test objects', async () => {
    await holds(
      undefined,
      () => Promise.resolve(unit.work.environment.load({ PLACE: 'row' })),
      () => Promise.resolve(unit.work.environment.get('PLACE')),
      { after: undefined, row: 'row' },
    );
    await holds(
      undefined,
      () => Promise.resolve(unit.work.guard.set('script', false, 'row')),
      () => Promise.resolve(unit.work.guard.isOpen('script')),
      { after: true, row: false },
    );
    const object = (name: string): Promise<unknown> =>
      unit.call('WR_save_test_object', { test_object_name: name, object_type: 'ID' });
    const known = async (): Promise<unknown> =>
      (await unit.work.port('testObjects', unit.work.linked)).find('new') !== undefined;
    await holds(
      () => object('old'),
      () => object('new'),
      known,
      { after: false, row: true },
    );
  });

  it('in a run: row 2 has no cookie and no server of row 1', async () => {
    await writeFile(at('rows.csv'), 'n\n1\n2\n');
    await writeFile(
      at('rows.yaml'),
      `meta: { dataset: rows.csv, base_url: "${server.url}" }
setup:
  - AT_test_api_method: { http_method: session_get, test_url: /set/of-setup }
actions:
  - AT_test_api_method: { http_method: session_get, test_url: / }
    expect: result.text == "of-setup=1"
  - AT_start_mock_server: { port: 0 }
  - AT_test_api_method: { http_method: session_get, test_url: "/set/row\${ROW.n}" }
teardown:
  - AT_mock_received
  - AT_test_api_method: { http_method: session_get, test_url: / }
    expect: result.text == "of-setup=1; row2=1"
`,
    );
    const { exit, stdout, stderr } = await svc(root, ['run', 'rows.yaml']);
    expect(exit, stdout + stderr).toBe(0);
  });
});
