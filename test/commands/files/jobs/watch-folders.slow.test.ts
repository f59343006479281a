import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { commandLine } from '../../../built.ts';
import { openWatchPlace, until, wait } from './watch-place.ts';
import { all, watching } from './watching.ts';

describe('a watched folder', () => {
  watching('that is removed and made again is watched on', async (at, tells) => {
    at.write({ a: '1', 'sub/b': '1' });
    await at.start({ events: all });
    rmSync(at.path('.'), { recursive: true });
    await until(() => at.told.length >= 3);
    expect([...at.told].sort()).toEqual(['deleted a', 'deleted sub', 'deleted sub/b']);
    at.told.splice(0);
    at.write({ c: '1' });
    await tells('created c');
    at.write({ 'd/e': '1' });
    await tells('created c', 'created d', 'created d/e');
    expect(at.troubles).toEqual([]);
  });

  watching('that is replaced tells the difference, and is watched on', async (at, tells) => {
    at.write({ same: 'same', other: '1', gone: '1' });
    utimesSync(at.path('same'), 100, 100);
    await at.start({ events: all });
    mkdirSync(at.place.path('next'));
    renameSync(at.path('.'), at.place.path('before'));
    renameSync(at.place.path('next'), at.path('.'));
    at.write({ other: '22', more: '1' });
    await until(() => at.told.length >= 4, 300);
    expect([...at.told].sort()).toEqual(['created more', 'deleted gone', 'deleted same', 'modified other']);
    at.told.splice(0);
    at.write({ last: '1' });
    writeFileSync(at.place.path('before/unseen'), '1');
    await tells('created last');
  });

  watching(
    'that is removed and made again at once is watched on, though the system gives the new one the old number',
    async (at, tells) => {
      at.write({ a: '1', 'sub/b': '1' });
      await at.start({ events: ['created'] });
      for (const round of ['x', 'y']) {
        rmSync(at.path('.'), { recursive: true });
        mkdirSync(at.path('sub'), { recursive: true });
        await wait(1300);
        at.told.splice(0);
        at.write({ [round]: '1' });
        await tells(`created ${round}`);
        rmSync(at.path('sub'), { recursive: true });
        at.write({ 'sub/c': '1' });
        await wait(1300);
        at.told.splice(0);
        at.write({ [`sub/${round}`]: '1' });
        await tells(`created sub/${round}`);
      }
    },
  );

  watching('below that is replaced is watched on', async (at) => {
    at.write({ 'sub/a': '1', 'next/b': '1' });
    await at.start({ events: ['created', 'deleted'] });
    renameSync(at.path('sub'), at.place.path('old'));
    renameSync(at.path('next'), at.path('sub'));
    await until(() => at.told.length >= 1, 300);
    at.told.splice(0);
    at.write({ 'sub/c': '1' });
    await until(() => at.told.length >= 1, 1300);
    expect(at.told).toEqual(['created sub/c']);
  });

  watching('may be full of changes: none is lost, none is told twice', async (at) => {
    await at.start();
    const names: string[] = [];
    for (let folder = 0; folder < 40; folder += 1) {
      for (let file = 0; file < 50; file += 1) names.push(`d${folder}/e${file % 3}/f${file}`);
    }
    for (let part = 0; part < names.length; part += 100) {
      at.write(Object.fromEntries(names.slice(part, part + 100).map((name) => [name, name])));
      await wait(5);
    }
    const files = (): string[] => at.told.filter((line) => line.includes('/f'));
    await until(() => files().length >= names.length, 1500);
    expect(files().sort()).toEqual(names.map((name) => `created ${name}`).sort());
    expect(new Set(at.told).size).toBe(at.told.length);
  });
});

describe('more events than the system keeps', () => {
  it(
    'while the process is busy: what they told of is found all the same, and folders that nobody told of are watched',
    { timeout: 60_000 },
    async () => {
      await using at = await openWatchPlace();
      for (let folder = 0; folder < 30; folder += 1) mkdirSync(at.path(`d${folder}`));
      await at.start({ each: true });
      const count = 12_000;
      // Nothing is read meanwhile: Linux keeps 16,384 events, and these are twice as many.
      const program = `const fs = require('node:fs'); process.chdir(process.argv[1]);
for (let i = 0; i < ${count}; i += 1) fs.writeFileSync('d' + (i % 30) + '/f' + i, 'x');
fs.mkdirSync('late/deep', { recursive: true }); fs.writeFileSync('late/deep/one', 'x');`;
      expect(spawnSync(process.execPath, ['-e', program, at.path('.')]).status).toBe(0);
      const wanted = count + 3;
      const end = Date.now() + 40_000;
      while (at.told.length < wanted && Date.now() < end) await wait(100);
      await wait(1500);
      expect([at.told.length, new Set(at.told).size]).toEqual([wanted, wanted]);
      at.told.splice(0);
      at.write({ 'late/deep/two': '1' });
      await until(() => at.told.length > 0);
      expect(at.told).toEqual(['created late/deep/two']);
    },
  );
});

describe('limits of the system', () => {
  const svc = [process.execPath, ...commandLine].map((word) => `'${word}'`).join(' ');
  const can = (...words: readonly [string, ...string[]]): boolean =>
    spawnSync(words[0], [...words.slice(1), 'true']).status === 0;

  it.skipIf(!can('unshare', '-Ur'))('on the number of watches are told, and nothing is left behind', async () => {
    await using at = await openWatchPlace();
    for (const name of ['a', 'b', 'c', 'd', 'e']) mkdirSync(at.path(name));
    writeFileSync(
      at.place.path('w.yaml'),
      '- FA_watch_start: { name: w, path: in, action_list: [[FA_create_file, { file_path: y }]] }\n- FA_watch_list: []\n',
    );
    const { stderr, stdout } = spawnSync(
      'unshare',
      ['-Ur', 'sh', '-c', `echo 3 > /proc/sys/user/max_inotify_watches && exec ${svc} run w.yaml`],
      { cwd: at.place.root, encoding: 'utf8' },
    );
    expect(stderr + stdout).toMatch(/SVC87201.*"in" cannot be watched: ENOSPC/);
    expect(stderr + stdout).not.toContain('stays');
  });

  it.skipIf(process.getuid?.() !== 0 || !can('setpriv', '--reuid=65534', '--clear-groups'))(
    'of one folder leave the others watched, with a warning',
    async () => {
      await using at = await openWatchPlace();
      mkdirSync(at.path('open'));
      mkdirSync(at.path('closed'), { mode: 0o700 });
      for (const folder of [at.place.root, at.path('.'), at.path('open')]) chmodSync(folder, 0o777);
      writeFileSync(
        at.place.path('w.yaml'),
        'meta: { run_for_s: 2 }\nactions:\n- FA_watch_start: { name: w, path: in, debounce_ms: 20, action_list: [[FA_copy_file, { source: "${event.path}", target: "${event.name}.done" }]] }\n- [FA_create_file, { file_path: in/open/a, content: x }]\n',
      );
      const { stdout } = spawnSync(
        'setpriv',
        ['--reuid=65534', '--regid=65534', '--clear-groups', 'sh', '-c', `exec ${svc} run w.yaml`],
        { cwd: at.place.root, encoding: 'utf8' },
      );
      expect(stdout).toContain('the watcher "w" may miss changes: EACCES');
      expect([existsSync(at.place.path('a.done')), stdout.includes('0 failed') || !stdout.includes('failed')]).toEqual([
        true,
        true,
      ]);
    },
  );
});
