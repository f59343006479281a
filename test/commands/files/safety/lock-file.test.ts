import { execFileSync, spawn } from 'node:child_process';
import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { isGone, ownIdentity, type ProcessIdentity } from '#runtime/services/file-locks/process-identity.ts';

import { openLockServices } from '../../../fixtures/lock-service.ts';
import { failureOf, session } from '../../call.ts';
import { lacks } from '../../../fixtures/programs.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-files-'));
});
afterEach(() => rm(root, { recursive: true }));

const create = (name: string): unknown[] => ['FA_create_file', { file_path: join(root, name) }];
const hold = async (claim: object | string, name = 'lock'): Promise<void> =>
  writeFile(join(root, `${name}.held`), typeof claim === 'string' ? claim : JSON.stringify(claim));
const claimOf = (owner: Partial<ProcessIdentity>): object => ({
  token: 'ab'.repeat(16),
  owner: { ...ownIdentity(), ...owner },
  since: '2020-01-01T00:00:00.000Z',
});
const { signal } = new AbortController();

describe('FA_with_file_lock', () => {
  it('makes the lock file with its folders, leaves it and nothing else', async () => {
    await using unit = await session();
    const path = join(root, 'deep/er/lock');
    const value = await unit.call('FA_with_file_lock', {
      path,
      then: [['FA_copy_file', { source: `${path}.held`, target: join(root, 'seen') }]],
    });
    expect(value).toMatchObject({ results: { 'execute[0]: FA_copy_file': { status: 'ok' } } });
    expect(JSON.parse(await readFile(join(root, 'seen'), 'utf8'))).toMatchObject({ owner: { pid: process.pid } });
    expect(await readdir(join(root, 'deep/er'))).toEqual(['lock']);
  });

  it('takes any file, and does not touch its content', async () => {
    await using unit = await session();
    await writeFile(join(root, 'data.csv'), 'a,b\n');
    await unit.call('FA_with_file_lock', { path: join(root, 'data.csv'), then: [create('a')] });
    expect([await readFile(join(root, 'data.csv'), 'utf8'), (await readdir(root)).sort()]).toEqual([
      'a,b\n',
      ['a', 'data.csv'],
    ]);
    expect((await failureOf(unit.call('FA_with_file_lock', { path: root, then: [create('a')] }))).facts.code).toBe(
      'SVC85009',
    );
  });

  it('is given back when its list fails', async () => {
    await using unit = await session();
    const { status } = await unit.step('FA_with_file_lock', {
      path: join(root, 'lock'),
      then: [['FA_file_checksum', { path: join(root, 'none') }]],
    });
    expect([status, await readdir(root)]).toEqual(['failed', ['lock']]);
  });

  it('waits for its time while another holds it, and names the holder', async () => {
    await using unit = await session();
    await hold(claimOf({}));
    const begin = performance.now();
    const failure = await failureOf(
      unit.call('FA_with_file_lock', { path: join(root, 'lock'), timeout: 0.2, then: [create('a')] }),
    );
    expect(performance.now() - begin).toBeGreaterThanOrEqual(199);
    expect(failure.facts).toMatchObject({
      name: 'LockTimeoutException',
      kinds: ['timeout'],
      help: expect.stringContaining(`process ${process.pid} on`) as unknown,
    });
    expect(
      (await failureOf(unit.call('FA_with_file_lock', { path: join(root, 'lock'), timeout: 0, then: [create('a')] })))
        .facts.name,
    ).toBe('LockTimeoutException');
    expect(await readdir(root)).not.toContain('a');
  });

  it('stops waiting at the time limit of its step', async () => {
    await using unit = await session();
    await hold(claimOf({}));
    const { failure } = await unit.step(
      'FA_with_file_lock',
      { path: join(root, 'lock'), timeout: null, then: [create('a')] },
      { timeout_s: 0.1 },
    );
    expect(failure?.facts.code).toBe('SVC80002');
  });

  it('is refused at once to the list that holds it, by whatever way; a branch beside it waits', async () => {
    await using unit = await session();
    await mkdir(join(root, 'real'));
    await symlink('real', join(root, 'way'));
    const inner = ['FA_with_file_lock', { path: join(root, 'way/lock'), timeout: null, then: [create('inner')] }];
    await unit.step('FA_with_file_lock', {
      path: join(root, 'real/lock'),
      then: [['FA_if_exists', { path: root, then: [inner] }], create('after')],
    });
    expect(unit.records[0]?.error).toMatchObject({ code: 'SVC87010', name: 'LockTimeoutException' });
    expect((await readdir(root)).sort()).toEqual(['after', 'real', 'way']);
    const branch = (name: string): unknown[] => [
      'FA_with_file_lock',
      { path: join(root, 'real/lock'), then: [create(name)] },
    ];
    const beside = await unit.step('FA_execute_action_parallel', {
      actions: [branch('b'), branch('c'), branch('d')],
      max_workers: 3,
    });
    expect([beside.status, (await readdir(root)).sort()]).toEqual(['passed', ['after', 'b', 'c', 'd', 'real', 'way']]);
  });

  it('allows another lock inside', async () => {
    await using unit = await session();
    await unit.call('FA_with_file_lock', {
      path: join(root, 'one'),
      then: [['FA_with_file_lock', { path: join(root, 'two'), then: [create('a')] }]],
    });
    expect((await readdir(root)).sort()).toEqual(['a', 'one', 'two']);
  });

  it('tells when it was taken away meanwhile', async () => {
    await using unit = await session();
    const failure = await failureOf(
      unit.call('FA_with_file_lock', {
        path: join(root, 'lock'),
        then: [['FA_remove_file', { file_path: join(root, 'lock.held') }]],
      }),
    );
    expect(failure.facts.code).toBe('SVC87007');
  });
});

describe('a claim that was left behind', () => {
  const takes = async (): Promise<boolean> => {
    await using services = await openLockServices();
    const lock = await services.fileLocks.acquire(join(root, 'lock'), { timeout: 0, signal }).catch(() => undefined);
    await lock?.release();
    return lock !== undefined;
  };

  it.each([
    ['by a process that has ended', async () => claimOf({ pid: Number(execFileSync('sh', ['-c', 'echo $$'])) }), true],
    ['by an earlier process of the same number', async () => claimOf({ started: '1' }), true],
    ['by a process that runs', async () => claimOf({}), false],
    ['by another machine', async () => claimOf({ host: 'other', pid: 999_999 }), false],
    ['by a machine of the same name', async () => claimOf({ machine: 'other', boot: 'other', pid: 999_999 }), false],
    ['by another container', async () => claimOf({ pid_space: 'other', pid: 999_999 }), false],
    ['by somebody who wrote no claim', async () => 'what is this?', false],
  ])('%s', async (_, claim, isFree) => {
    await hold(await claim());
    expect(await takes()).toBe(isFree);
    expect((await readdir(root)).sort()).toEqual(isFree ? ['lock'] : ['lock', 'lock.held']);
  });

  it.each([
    ['a pipe', (path: string) => void execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => mkdir(path)],
    ['a link that leads nowhere', (path: string) => symlink('/nowhere/at/all', path)],
    [
      'a file that is too large for a claim',
      (path: string) => writeFile(path, `${JSON.stringify(claimOf({ started: '1' }))}${' '.repeat(100_000)}`),
    ],
  ])('%s in its place is a claim that tells no owner', async (_, make) => {
    await make(join(root, 'lock.held'));
    await using services = await openLockServices();
    const failure = await failureOf(services.fileLocks.acquire(join(root, 'lock'), { timeout: 0.05, signal }));
    expect(failure.facts).toMatchObject({
      code: 'SVC87006',
      help: `It is held by "${join(root, 'lock.held')}", which tells no owner.`,
    });
  });

  it('is dead where its machine was started anew, if it is certain that it is this machine', () => {
    const own = { ...ownIdentity(), boot: 'this', machine: 'm' };
    expect(isGone({ ...own, boot: 'earlier' }, own)).toBe(true);
    expect(isGone({ ...own, boot: '' }, own)).toBe(false);
    // Two containers of one name, on two machines that share a folder, look like this.
    expect(isGone({ ...own, boot: 'other', machine: '' }, { ...own, machine: '' })).toBe(false);
  });

  it.skipIf(lacks('sh', 'sleep'))(
    'is dead while the parent has not yet asked after it, and alive while it stands still',
    async () => {
      const zombie = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
      const pid = await new Promise<number>((resolve) =>
        zombie.stdout.once('data', (data: Buffer) => resolve(Number(data.toString()))),
      );
      const started = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ')[19] ?? '';
      const other = { ...ownIdentity(), pid, started };
      process.kill(pid, 'SIGSTOP');
      expect(isGone(other, ownIdentity())).toBe(false);
      process.kill(pid, 'SIGKILL');
      while (!(await readFile(`/proc/${pid}/stat`, 'utf8')).includes(') Z '))
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(isGone(other, ownIdentity())).toBe(true);
      zombie.kill();
    },
  );

  it('is found behind two names of one folder only; a second name of the file is another lock', async () => {
    await writeFile(join(root, 'lock'), '');
    await link(join(root, 'lock'), join(root, 'other'));
    await hold(claimOf({}));
    await using services = await openLockServices();
    await (await services.fileLocks.acquire(join(root, 'other'), { timeout: 0, signal })).release();
  });
});

it('a unit that ends lets go of its locks', async () => {
  {
    await using services = await openLockServices();
    await services.fileLocks.acquire(join(root, 'lock'), { timeout: 0, signal });
    expect((await readdir(root)).sort()).toEqual(['lock', 'lock.held']);
  }
  expect(await readdir(root)).toEqual(['lock']);
});

it('a wall clock that is set back changes nothing', async () => {
  let shift = 0;
  const { nodeHost } = await import('#runtime/hosts/node.ts');
  const { clock } = nodeHost();
  await using services = await openLockServices({ clock: { ...clock, now: () => clock.now() + shift } });
  await hold(claimOf({}));
  const begin = performance.now();
  const waiting = services.fileLocks.acquire(join(root, 'lock'), { timeout: 0.2, signal });
  shift = -3_600_000;
  await expect(waiting).rejects.toMatchObject({ name: 'LockTimeoutException' });
  expect(performance.now() - begin).toBeLessThan(9000);
});
