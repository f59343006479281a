import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import { Failure } from '#schemas/types/failure.ts';
import { findBrowser, findDriver } from '#stdlib/browser/engines/browsers/find-browser.ts';

import { session } from '../commands/session.ts';

let root = '';
beforeEach(() => void (root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-hostile-')))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A program that leaves a trace where it is started. */
function plant(file: string): string {
  const path = join(root, file);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho "$0 $*" >> ${join(root, 'trace')}\necho ran\n`);
  chmodSync(path, 0o755);
  return path;
}

const trace = (): string => (existsSync(join(root, 'trace')) ? readFileSync(join(root, 'trace'), 'utf8') : '');
const hostWith = (path: string): ReturnType<typeof nodeHost> =>
  nodeHost({ cwd: root, env: { ...process.env, PATH: path } });

/** Scripts with `#!` are programs there only. */
describe.skipIf(process.platform === 'win32')('programs are found by the PATH of the host', () => {
  test('whose empty and relative entries, and the working directory, never count', async () => {
    plant('tool');
    plant('bin/tool');
    for (const path of ['', '.', ':/nowhere', '/nowhere:', 'bin', './bin', '/nowhere::/nowhere', '~/bin']) {
      const { processes } = hostWith(path);
      expect(processes.find(['tool'])).toBeUndefined();
      await expect(processes.run('tool', [], { cwd: root })).rejects.toMatchObject({ code: 'ENOENT' });
      await expect(processes.run('', [], { cwd: root })).rejects.toMatchObject({ code: 'ENOENT' });
      expect(() => processes.start('tool', [])).toThrow('ENOENT');
    }
    expect(trace()).toBe('');
  });

  test('as it was when the host was made: what a step gives as environment decides nothing', async () => {
    plant('bin/tool');
    const { processes } = hostWith('/nowhere');
    await expect(processes.run('tool', [], { env: { PATH: join(root, 'bin') } })).rejects.toMatchObject({
      code: 'ENOENT',
    });
    expect(trace()).toBe('');
  });

  test('a path begins at the working directory of the program, and needs a folder in it', async () => {
    plant('bin/tool');
    const { code } = await hostWith('/nowhere').processes.run('bin/tool', ['x'], { cwd: root });
    expect([code, trace()]).toEqual([0, `${root}/bin/tool x\n`]);
  });

  test('what is no program, or not for this user, is passed over', () => {
    mkdirSync(join(root, 'first/tool'), { recursive: true });
    writeFileSync(join(plant('second/tool')), 'text');
    chmodSync(join(root, 'second/tool'), 0o644);
    const third = plant('third/tool');
    const path = ['first', 'second', 'third'].map((name) => join(root, name)).join(':');
    expect(hostWith(path).processes.find(['none', 'tool'])).toBe(third);
  });
});

describe.skipIf(process.platform === 'win32')('a step cannot change which programs runs start by themselves', () => {
  const around = (host: ReturnType<typeof nodeHost>) => ({ host, settings: { gates: {} } });

  test('by putting one on PATH', async () => {
    const host = hostWith(join(root, 'bin'));
    host.processes.settle([]);
    for (const name of ['plocate', 'locate', 'chromium', 'chromedriver']) plant(`bin/${name}`);
    for (const name of ['plocate', 'locate', 'chromium', 'chromedriver'])
      expect(host.processes.find([name])).toBeUndefined();
    await expect(findDriver('chromium', around(host))).rejects.toThrow('No driver');
  });

  test.each([
    ['written to', (path: string) => writeFileSync(path, '#!/bin/sh\n')],
    ['replaced', (path: string) => renameSync(plant('other'), path)],
    ['replaced by a link', (path: string) => (rmSync(path), symlinkSync(plant('other'), path))],
    [
      'moved away with its folder',
      (path: string) => (renameSync(join(path, '..'), join(root, 'away')), void plant('bin/chromedriver')),
    ],
  ])('by changing it: %s', async (_, change) => {
    const path = plant('bin/chromedriver');
    const host = hostWith(join(root, 'bin'));
    host.processes.settle([]);
    expect(await findDriver('chromium', around(host))).toBe(path);
    change(path);
    const failure: unknown = await findDriver('chromium', around(host)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ facts: { code: 'SVC81016' } });
  });

  test('by changing one that the environment or the configuration names', async () => {
    const [browser, driver] = [plant('mine/chromium'), plant('mine/chromedriver')];
    const host = nodeHost({ cwd: root, env: { PATH: '/nowhere', CHROME_BIN: browser } });
    host.processes.settle([driver]);
    const settings = { gates: {}, browser: { driver_path: driver } };
    expect([
      await findBrowser('chromium', { host, settings }),
      await findDriver('chromium', { host, settings }),
    ]).toEqual([browser, driver]);
    for (const path of [browser, driver]) writeFileSync(path, 'x');
    await expect(findBrowser('chromium', { host, settings })).rejects.toThrow('was changed since this run began');
    await expect(findDriver('chromium', { host, settings })).rejects.toThrow('was changed since this run began');
  });

  test('and FA_fast_find, which needs no gate, starts none that a step has written', async () => {
    writeFileSync(join(root, 'a.txt'), '');
    const host = hostWith(`${join(root, 'bin')}:.:`);
    host.processes.settle([]);
    await using unit = await session({ host, root, settings: { gates: { shell: false } } });
    for (const name of ['mdfind', 'plocate', 'locate']) for (const folder of ['bin', '.']) plant(`${folder}/${name}`);
    expect(await unit.call('FA_fast_find', { root, pattern: '*.txt' })).toEqual([join(root, 'a.txt')]);
    expect(trace()).toBe('');
  });
});
