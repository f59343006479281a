import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import type { SqlConnection } from '#schemas/types/sql.ts';

import { built } from '../../../built.ts';
import { compete } from '../../../fixtures/competing.ts';
import { lacksServer, startMariadb, startPostgres, type DatabaseServer } from '../../../fixtures/database-server.ts';
import { openLockServices } from '../../../fixtures/lock-service.ts';
import { losingProxy } from '../../../fixtures/losing-proxy.ts';
import { failureOf, session } from '../../call.ts';

const kills = process.env['SVC_TEST_FULL'] ? 100 : 8;
const { signal } = new AbortController();
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const servers = [
  {
    kind: 'PostgreSQL',
    lacks: lacksServer('postgresql'),
    start: startPostgres,
    port: 'postgres',
    password: (address: string) => address.replace('postgres@', 'postgres:not%20shown@'),
  },
  {
    kind: 'MariaDB',
    lacks: lacksServer('mariadb-server'),
    start: startMariadb,
    port: 'mysql',
    password: (address: string) => address.replace('root@', 'root:not%20shown@'),
  },
] as const;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-locks-'));
});
afterEach(() => rm(root, { recursive: true }));

describe.each(servers.filter(({ lacks }) => !lacks))('leases in $kind', ({ kind, start, port, password }) => {
  let server: DatabaseServer;
  let address: string;
  beforeAll(async () => {
    server = await start();
    ({ address } = server);
  }, 60_000);
  afterAll(() => server[Symbol.asyncDispose]());

  const create = (name: string): unknown[] => ['FA_create_file', { file_path: join(root, name) }];
  const ask = async (sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const services = await openLockServices();
    let connection: SqlConnection | undefined;
    try {
      connection = await services.connect(port, address);
      return (await connection.query(sql)).rows;
    } finally {
      await services[Symbol.asyncDispose]();
    }
  };

  beforeEach(() => ask('DROP TABLE IF EXISTS svc_locks'));

  it('are not held where there is no table, and asking makes none; many who come first at once all get theirs', async () => {
    await using services = await openLockServices();
    expect(await services.leases.status(address, 'job', signal)).toEqual({
      held: false,
      owner: null,
      acquired_at: null,
      expires_at: null,
      fence: null,
    });
    await expect(ask('SELECT * FROM svc_locks')).rejects.toMatchObject({ facts: { code: 'SVC87013' } });
    const leases = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        services.leases.acquire(address, `first ${index}`, { timeout: 30, ttl: null, signal }),
      ),
    );
    await Promise.all(leases.map((lease) => lease.release()));
  });

  it('show owner and times of the server while the list runs', async () => {
    await using unit = await session();
    const value = (await unit.call('FA_with_db_lock', {
      db_path: address,
      name: 'job',
      ttl: 30,
      then: [['FA_db_lock_status', { db_path: address, name: 'job' }]],
    })) as { results: Record<string, { value: { held: boolean; acquired_at: number; expires_at: number } }> };
    const status = value.results['execute[0]: FA_db_lock_status']?.value;
    expect(status).toMatchObject({ held: true, owner: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown, fence: 1 });
    expect((status?.expires_at ?? 0) - (status?.acquired_at ?? 0)).toBeCloseTo(30, 2);
    expect(Math.abs((status?.acquired_at ?? 0) - Date.now() / 1000)).toBeLessThan(60);
    expect(await unit.call('FA_db_lock_status', { db_path: address, name: 'job' })).toMatchObject({ held: false });
  });

  it('take names byte for byte, and count claims', async () => {
    await using services = await openLockServices();
    const names = ['Job', 'JOB', 'Job ', 'jöb', 'jo\u0308b', "'; DROP TABLE svc_locks; --", '\\'];
    const held = await Promise.all(
      names.map((name) => services.leases.acquire(address, name, { timeout: 5, ttl: null, signal })),
    );
    await Promise.all(held.map((lease) => lease.release()));
    await (await services.leases.acquire(address, 'Job', { timeout: 0, ttl: null, signal })).release();
    expect((await ask("SELECT fence FROM svc_locks WHERE name = 'Job'")).map(({ fence }) => Number(fence))).toEqual([
      2,
    ]);
  });

  it('live as long as they are renewed, by the clock of the server alone', async () => {
    const { clock } = nodeHost();
    let shift = 0;
    await using services = await openLockServices({ clock: { ...clock, now: () => clock.now() + shift } });
    const lease = await services.leases.acquire(address, 'short', { timeout: 0, ttl: 1.2, signal });
    shift = 86_400_000;
    for (let count = 0; count < 8; count += 1) {
      await wait(250);
      await expect(services.leases.acquire(address, 'short', { timeout: 0, ttl: 1, signal })).rejects.toMatchObject({
        name: 'LockTimeoutException',
      });
    }
    await lease.release();
    await (await services.leases.acquire(address, 'short', { timeout: 0, ttl: null, signal })).release();
  });

  it('end the list when they are lost', async () => {
    await using unit = await session();
    const slow = ['FA_rate_limit_acquire', { name: 'slow', rate: 0.01 }];
    // What is loaded at its first use must not take from the life.
    await unit.call('FA_with_db_lock', { db_path: address, name: 'taken', then: [slow] });
    setTimeout(() => void ask("UPDATE svc_locks SET owner = 'somebody else' WHERE name = 'taken'"), 300);
    const { failure } = await unit.step('FA_with_db_lock', {
      db_path: address,
      name: 'taken',
      ttl: 1.5,
      then: [slow, slow, create('a')],
    });
    expect([failure?.facts.code, await readdir(root)]).toEqual(['SVC87007', []]);
    expect(await ask("SELECT owner FROM svc_locks WHERE name = 'taken'")).toMatchObject([{ owner: 'somebody else' }]);
  });

  it('are taken over from a process that stands still, which learns of it', async () => {
    const holder = spawn(
      process.execPath,
      [
        '--conditions=source',
        '--no-warnings',
        join(import.meta.dirname, '../../../fixtures/lease-holder.ts'),
        address,
        'still',
        '0.8',
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const lines: string[] = [];
    holder.stdout.on('data', (data: Buffer) => lines.push(...data.toString().trim().split('\n')));
    while (lines.length === 0) await wait(10);
    holder.kill('SIGSTOP');
    await using services = await openLockServices();
    const begin = performance.now();
    const lease = await services.leases.acquire(address, 'still', { timeout: 10, ttl: 5, signal });
    expect(performance.now() - begin).toBeLessThan(9000);
    holder.kill('SIGCONT');
    await new Promise((resolve) => holder.once('exit', resolve));
    expect(lines).toEqual(['held', 'lost SVC87007', 'released SVC87007']);
    await lease.renew();
    await lease.release();
  });

  it('survive a broken connection', async () => {
    await using services = await openLockServices();
    const lease = await services.leases.acquire(address, 'broken', { timeout: 0, ttl: 30, signal });
    const drop =
      kind === 'PostgreSQL'
        ? "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = 'svc'"
        : 'SHOW PROCESSLIST';
    const rows = await ask(drop);
    if (kind === 'MariaDB')
      for (const { Id, Info } of rows)
        if (Info === null || !String(Info).startsWith('SHOW')) await ask(`KILL ${String(Id)}`).catch(() => undefined);
    await wait(50);
    await lease.renew().catch(() => undefined);
    await lease.renew();
    await lease.release();
  });

  it('are not left behind where the answer to a claim was lost', async () => {
    const { port: own } = new URL(address);
    await using proxy = await losingProxy(Number(own), {
      // MariaDB answers first that it has prepared the statement.
      asked: 'INTO svc_locks',
      isAnswer: (piece, count) => (kind === 'PostgreSQL' ? piece.includes('INSERT 0 1') : count === 2),
    });
    await using services = await openLockServices();
    await (await services.leases.acquire(address, 'there', { timeout: 0, ttl: null, signal })).release();
    const failure = await failureOf(
      services.leases.acquire(address.replace(`:${own}/`, `:${proxy.port}/`), 'lost', {
        timeout: 5,
        ttl: null,
        signal,
      }),
    );
    expect([failure.facts.code, proxy.lost]).toEqual(['SVC87014', 1]);
    expect(
      (await ask("SELECT owner, fence FROM svc_locks WHERE name = 'lost'")).map(({ owner, fence }) => [
        owner,
        Number(fence),
      ]),
    ).toEqual([[null, 1]]);
  });

  it('mask the password of their address everywhere', async () => {
    await using unit = await session();
    const { failure } = await unit.step('FA_with_db_lock', {
      db_path: password(address),
      name: 'masked',
      then: [['FA_create_file', { file_path: join(root, 'a'), content: 'not shown' }]],
    });
    // PostgreSQL trusts everybody here, MariaDB refuses a wrong password.
    expect(failure?.facts.code).toBe(kind === 'PostgreSQL' ? undefined : 'SVC87013');
    expect(JSON.stringify([unit.records, failure?.facts])).not.toMatch(/not shown|not%20shown/);
  });

  it('are held by a compiled program, which needs no package beside it', async () => {
    const cli = join(await built(), 'dist/bin/svc.js');
    await writeFile(
      join(root, 'job.json'),
      JSON.stringify([
        [
          'FA_with_db_lock',
          {
            db_path: address,
            name: 'compiled',
            ttl: 5,
            then: [['FA_db_lock_status', { db_path: address, name: 'compiled' }, { expect: 'result.held' }]],
          },
        ],
      ]),
    );
    execFileSync(process.execPath, [cli, 'compile', 'job.json', '-o', 'out'], { cwd: root });
    expect(execFileSync(process.execPath, ['out/job.mjs'], { cwd: root, encoding: 'utf8' })).toContain('2 passed');
  }, 120_000);

  it('go to one of many processes at a time, some of them killed', async () => {
    const { taken, killed, wrong } = await compete(['db', address, join(root, 'inside'), '5'], { workers: 3, kills });
    expect({ killed, wrong }).toEqual({ killed: kills, wrong: [] });
    expect(taken).toBeGreaterThan(kills);
  }, 300_000);
});

it.each(['postgresql', 'mariadb'])('%s: a server that never answers is given up', async (scheme) => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  try {
    const services = await openLockServices();
    const begin = performance.now();
    await expect(
      services.connect(scheme === 'mariadb' ? 'mysql' : 'postgres', `${scheme}://u@127.0.0.1:${port}/d`, 300),
    ).rejects.toMatchObject({ facts: { code: 'SVC87014' } });
    expect(performance.now() - begin).toBeLessThan(9000);
    await using unit = await session();
    const stopped = await failureOf(
      unit.call('FA_db_lock_status', { db_path: `${scheme}://u@127.0.0.1:${port}/d`, name: 'x' }, { timeout_s: 0.2 }),
    );
    expect(stopped.facts.code).toBe('SVC80002');
    expect(performance.now() - begin).toBeLessThan(9000);
  } finally {
    silent.close();
  }
});
