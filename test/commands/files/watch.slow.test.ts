import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import type { WriteObserver } from '#runtime/kernel/ports.ts';
import { observedFiles } from '#runtime/kernel/steps/observed-files.ts';
import type { Files } from '#schemas/types/host.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { fromSource } from '../../cli/svc.ts';
import { failureOf } from './call-here.ts';
import { runActions } from './run-actions.ts';
import { openWatchPlace, until, wait, type WatchPlace } from './watch-place.ts';

type Tells = (...expected: readonly string[]) => Promise<void>;

/** Each waits for the system most of the time, so they run side by side, each in a folder of its own. */
function watching(name: string, test: (at: WatchPlace, tells: Tells) => Promise<void>): void {
  it.concurrent(name, async () => {
    const at = await openWatchPlace();
    try {
      await test(at, async (...expected) => {
        await until(() => at.told.length >= expected.length);
        expect(at.told).toEqual(expected);
      });
    } finally {
      await at.close();
    }
  });
}

const all = ['created', 'modified', 'deleted', 'moved'] as const;

describe('what is told', () => {
  watching('is a file once, however it was written', async (at, tells) => {
    at.write({ old: 'a' });
    await at.start();
    at.write({ new: '1' });
    appendFileSync(at.path('new'), '2');
    writeFileSync(at.path('old'), 'bb');
    writeFileSync(at.path('old'), 'ccc');
    await tells('created new', 'modified old');
  });

  watching('is nothing of what was there before, of looks, and of permissions', async (at) => {
    at.write({ old: 'a' });
    await at.start({ events: all });
    chmodSync(at.path('old'), 0o600);
    utimesSync(at.path('.'), 1, 1);
    await wait(300);
    expect(at.told).toEqual([]);
  });

  watching('is what has come of it', async (at, tells) => {
    at.write({ a: '1', b: '1' });
    await at.start({ events: all });
    at.write({ short: 'x' });
    rmSync(at.path('short'));
    rmSync(at.path('a'));
    at.write({ a: '22' });
    rmSync(at.path('b'));
    await tells('modified a', 'deleted b');
  });

  watching('are files in new folders too, and folders, which are never modified', async (at, tells) => {
    await at.start({ events: all });
    at.write({ 'x/y/z/one': '1' });
    await tells('created x', 'created x/y', 'created x/y/z', 'created x/y/z/one');
    at.write({ 'x/y/z/two': '2' });
    await tells('created x', 'created x/y', 'created x/y/z', 'created x/y/z/one', 'created x/y/z/two');
  });

  watching('are moves, of a folder only itself', async (at, tells) => {
    at.write({ 'a/one': '1', 'a/b/two': '2', file: 'f' });
    await at.start({ events: all });
    renameSync(at.path('file'), at.path('a/renamed'));
    await tells('moved file -> a/renamed');
    renameSync(at.path('a'), at.path('c'));
    await tells('moved file -> a/renamed', 'moved a -> c');
    at.write({ 'c/b/two': 'changed' });
    await tells('moved file -> a/renamed', 'moved a -> c', 'modified c/b/two');
  });

  watching('is created and deleted where a move crosses the border', async (at) => {
    at.write({ out: '1' });
    writeFileSync(at.place.path('outside'), '2');
    await at.start({ events: all });
    renameSync(at.path('out'), at.place.path('went'));
    renameSync(at.place.path('outside'), at.path('came'));
    await until(() => at.told.length >= 2);
    expect([...at.told].sort()).toEqual(['created came', 'deleted out']);
  });

  watching('is nothing of sub-folders where they are not asked for', async (at) => {
    at.write({ 'sub/a': '1' });
    await at.start({ recursive: false, events: all });
    at.write({ 'sub/a': '22', 'sub/b': '1', top: '1', 'new/x': '1' });
    await until(() => at.told.length >= 2);
    expect([...at.told].sort()).toEqual(['created new', 'created top']);
  });

  watching('is nothing behind links, and a link itself', async (at, tells) => {
    mkdirSync(at.place.path('elsewhere'));
    await at.start({ events: all });
    symlinkSync('../elsewhere', at.path('link'));
    writeFileSync(at.place.path('elsewhere/file'), '1');
    await tells('created link');
  });

  watching('is each name of a file that has several', async (at, tells) => {
    at.write({ one: '1' });
    await at.start({ events: all });
    linkSync(at.path('one'), at.path('two'));
    await tells('created two');
    rmSync(at.path('one'));
    await tells('created two', 'deleted one');
  });

  watching('are the names of things that are not UTF-8', async (at, tells) => {
    await at.start();
    writeFileSync(Buffer.concat([Buffer.from(`${at.path('')}/`), Buffer.from([0x66, 0xfe])]), 'x');
    await tells('created f\udcfe');
  });

  watching('is one file, where that is what is watched, also when an editor replaces it', async (at, tells) => {
    at.write({ one: '1', other: '1' });
    await at.start({ path: 'in/one', events: all });
    at.write({ 'one~': '22', other: '22' });
    renameSync(at.path('one~'), at.path('one'));
    await tells('modified one');
    rmSync(at.path('one'));
    await tells('modified one', 'deleted one');
    at.write({ one: '1' });
    await tells('modified one', 'deleted one', 'created one');
  });
});

describe('names and kinds', () => {
  watching('that are wanted are told alone', async (at, tells) => {
    at.write({ 'a.csv': '1', 'b.txt': '1' });
    await at.start({ events: ['deleted'], wants: (name) => name.endsWith('.csv') });
    rmSync(at.path('a.csv'));
    rmSync(at.path('b.txt'));
    at.write({ 'c.csv': '1' });
    await tells('deleted a.csv');
  });

  watching('see a rename into them as new, and out of them as gone', async (at, tells) => {
    at.write({ 'old.part': '1', 'there.csv': '1', 'out.csv': '1' });
    await at.start({ events: all, wants: (name) => name.endsWith('.csv') });
    renameSync(at.path('old.part'), at.path('new.csv'));
    await tells('created new.csv');
    renameSync(at.path('out.csv'), at.path('out.bak'));
    await tells('created new.csv', 'deleted out.csv');
    at.write({ 'next.part': '22' });
    await wait(200);
    renameSync(at.path('next.part'), at.path('there.csv'));
    await tells('created new.csv', 'deleted out.csv', 'modified there.csv');
    renameSync(at.path('there.csv'), at.path('moved.csv'));
    await tells('created new.csv', 'deleted out.csv', 'modified there.csv', 'moved there.csv -> moved.csv');
  });
});

describe('runs', () => {
  watching('are one for all that was collected, with the last change, where each is not asked for', async (at, tells) => {
    await at.start({ each: false });
    at.write({ a: '1', b: '2', c: '3' });
    await tells('created c');
  });

  watching('follow one another; what changes meanwhile waits for the next, merged', async (at) => {
    await at.start({ each: false, does: () => wait(400) });
    at.write({ a: '1' });
    await until(() => at.told.length === 1, 0);
    for (let count = 0; count < 6; count += 1) {
      at.write({ [`b${count}`]: '1' });
      await wait(30);
    }
    await until(() => at.told.length >= 2, 700);
    expect(at.told).toHaveLength(2);
    expect(at.watchers.list()[0]).toMatchObject({ runs: 2, running: true });
  });

  watching('that fail do not end the watch, and are told of', async (at, tells) => {
    await at.start({ does: () => { throw new Error('no'); } });
    at.write({ a: '1' });
    await tells('created a');
    at.write({ b: '1' });
    await tells('created a', 'created b');
    expect(at.failed).toEqual(['w: no', 'w: no']);
    expect(at.watchers.list()[0]?.last).toMatchObject({ error: 'no' });
  });

  watching('know the parts of the path', async (at) => {
    const events: unknown[] = [];
    await at.start({ does: ({ event }) => events.push(event) });
    at.write({ 'x.tar.gz': '1' });
    await until(() => events.length > 0);
    expect(events).toEqual([{ type: 'created', path: at.path('x.tar.gz'), name: 'x.tar.gz', stem: 'x.tar', dir: at.place.path('in') }]);
  });
});

describe('a file that grows', () => {
  watching('is told of once it has stopped for the time to settle', async (at, tells) => {
    const begin = Date.now();
    let end = 0;
    await at.start({ settleMs: 400, does: () => { end = Date.now(); } });
    for (let count = 0; count < 8; count += 1) {
      appendFileSync(at.path('big'), 'x');
      await wait(100);
    }
    const last = Date.now();
    await tells('created big');
    expect([end - last > 250, end - begin < 3000]).toEqual([true, true]);
  });

  watching('and is renamed is told of under its last name, and removed not at all', async (at, tells) => {
    await at.start({ settleMs: 400, events: all });
    at.write({ one: '1', two: '2' });
    await wait(150);
    renameSync(at.path('one'), at.path('three'));
    rmSync(at.path('two'));
    await tells('created three');
  });

  watching('is waited for when only its time changes', async (at, tells) => {
    await at.start({ settleMs: 500 });
    at.write({ mapped: '1' });
    await wait(300);
    utimesSync(at.path('mapped'), 10, 10);
    await wait(350);
    expect(at.told).toEqual([]);
    await tells('created mapped');
  });
});

describe('starting and stopping', () => {
  watching('refuses what is not there, and a name that is taken', async (at) => {
    expect((await failureOf(at.start({ path: 'nowhere' }))).facts).toMatchObject({ code: 'SVC8651', name: 'TriggerException' });
    await at.start();
    expect((await failureOf(at.start())).facts).toMatchObject({ code: 'SVC8656', name: 'TriggerException' });
    expect((await failureOf(at.watchers.stop('x'))).facts).toMatchObject({ code: 'SVC8657', name: 'TriggerException' });
  });

  watching('leaves nothing behind when it is cancelled', async (at) => {
    const controller = new AbortController();
    const starting = at.start({}, controller.signal);
    controller.abort(new Error('enough'));
    await expect(starting).rejects.toThrow('enough');
    expect([at.watchers.list(), at.handles]).toEqual([[], []]);
    await at.start();
  });

  watching('can be done again under the same name', async (at, tells) => {
    await at.start();
    expect(await at.watchers.stop('w')).toMatchObject({ running: false, path: at.place.path('in'), events: ['created', 'modified'] });
    at.write({ unseen: '1' });
    await at.start();
    at.write({ seen: '1' });
    await tells('created seen');
  });

  watching('resolves the home folder and links', async (at, tells) => {
    symlinkSync('in', at.place.path('link'));
    await at.start({ path: '~/link' });
    expect(at.watchers.list()[0]?.path).toBe(at.place.path('in'));
    at.write({ a: '1' });
    await tells('created a');
  });

  watching('waits for the run at work', async (at) => {
    let ended = false;
    await at.start({ does: () => wait(400).then(() => (ended = true)) });
    at.write({ a: '1' });
    await until(() => at.told.length > 0, 0);
    expect(await at.watchers.stop('w')).toMatchObject({ running: false });
    expect(ended).toBe(true);
    await at.handles[0]?.done;
  });

  watching('does not wait where the run itself stops it', async (at) => {
    let ms = Infinity;
    await at.start({ does: async () => {
      const begin = Date.now();
      await at.watchers.stop('w', { waits: false });
      ms = Date.now() - begin;
    } });
    at.write({ a: '1', b: '1' });
    await at.handles[0]?.done;
    expect([ms < 1000, at.told]).toEqual([true, ['created a']]);
  });
});

describe('a watched folder', () => {
  watching('that is removed and made again is watched on', async (at, tells) => {
    at.write({ 'a': '1', 'sub/b': '1' });
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

  watching('that is removed and made again at once is watched on, though the system gives the new one the old number', async (at, tells) => {
    at.write({ 'a': '1', 'sub/b': '1' });
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
  });

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
  it('while the process is busy: what they told of is found all the same, and folders that nobody told of are watched', { timeout: 60_000 }, async () => {
    const at = await openWatchPlace();
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
    await at.close();
  });
});

describe('what the list itself writes', () => {
  const files = nodeHost().files;
  const written = (onWrite: WriteObserver | undefined): Files => observedFiles(files, onWrite ?? never());

  watching('is not told', async (at) => {
    await at.start({ events: all, does: async ({ onWrite }) => {
      const mine = written(onWrite);
      await mine.write(at.path('out/deep/a'), 'a', { parents: true });
      await mine.append(at.path('log'), 'line\n');
      await mine.makeDirectory(at.path('dir/one'), { recursive: true });
      await mine.write(at.path('dir/one/b'), 'b');
      await mine.rename(at.path('dir'), at.path('moved'));
      await mine.copy(at.path('in'), at.path('copy'), { metadata: true });
      await mine.remove(at.path('in'));
      await mine.writeStream(at.path('stream'), slowly());
    } });
    at.write({ in: '1' });
    await until(() => at.told.length > 0, 1500);
    expect(at.told).toEqual(['created in']);
  });

  watching('is told once others have changed it', async (at, tells) => {
    await at.start({ each: false, events: all, does: async ({ onWrite }) => written(onWrite).write(at.path('out'), 'ours') });
    at.write({ in: '1' });
    await tells('created in');
    at.write({ out: 'theirs, and longer' });
    await tells('created in', 'modified out');
  });

  watching('is told of the others at the same time', async (at) => {
    await at.start({ does: async ({ onWrite, event }) => {
      if (event?.['name'] !== 'in') return;
      await written(onWrite).write(at.path('ours'), 'x');
      at.write({ theirs: 'x' });
      await wait(200);
    } });
    at.write({ in: '1' });
    await until(() => at.told.length >= 2, 500);
    expect(at.told).toEqual(['created in', 'created theirs']);
  });

  async function* slowly(): AsyncGenerator<Uint8Array> {
    for (let count = 0; count < 4; count += 1) {
      await wait(100);
      yield new Uint8Array(1000);
    }
  }
  function never(): never {
    throw new Error('nobody listens');
  }
});

describe('in an action file', () => {
  it.concurrent('the list runs for each file that it asks for, once for all where it does not, and can end its watch', { timeout: 30_000 }, async () => {
    const at = await openWatchPlace();
    const inbox = at.path('inbox');
    mkdirSync(inbox);
    const done = runActions(at.place.root, [
      ['FA_watch_start', { name: 'each', path: inbox, pattern: ['*.csv'], settle: 0.2, action_list: [
        ['FA_copy_file', { source: '${event.path}', target: at.path('${event.stem}.done') }],
        { FA_watch_stop: ['each'], when: '"${event.name}" == "c.csv"' },
      ] }],
      ['FA_watch_start', { name: 'all', path: inbox, action_list: [['FA_create_file', { file_path: at.path('count') }]] }],
      ['FA_watch_start', { name: 'failing', path: at.path('.'), recursive: false, pattern: '*.done', action_list: [['FA_file_checksum', { path: at.path('nothing') }], ['FA_watch_stop_all', []]] }],
      ['FA_watch_list', []],
    ]);
    await wait(1500);
    writeFileSync(`${inbox}/a.csv`, '1');
    writeFileSync(`${inbox}/b.csv`, '1');
    writeFileSync(`${inbox}/ignored.part`, '1');
    const { errors, records } = await done;
    expect(errors).toEqual([]);
    const of = (command: string): RunRecord[] => records.filter((record) => record.command === command && record.parent !== undefined);
    expect(of('FA_copy_file').map(({ status }) => status)).toEqual(['passed', 'passed']);
    expect(of('FA_create_file')).toHaveLength(1);
    expect(of('FA_file_checksum').map(({ status }) => status)).toEqual(['failed']);
    expect(records.findLast(({ command }) => command === 'FA_watch_list')?.result).toMatchObject([{ name: 'each', running: true, actions: 2 }, { name: 'all' }, { name: 'failing', recursive: false }]);
    await at.close();
  });
});

describe('limits of the system', () => {
  const svc = [process.execPath, ...fromSource].map((word) => `'${word}'`).join(' ');
  const can = (...words: readonly [string, ...string[]]): boolean => spawnSync(words[0], [...words.slice(1), 'true']).status === 0;

  it.skipIf(!can('unshare', '-Ur'))('on the number of watches are told, and nothing is left behind', async () => {
    const at = await openWatchPlace();
    for (const name of ['a', 'b', 'c', 'd', 'e']) mkdirSync(at.path(name));
    writeFileSync(at.place.path('w.yaml'), '- FA_watch_start: { name: w, path: in, action_list: [[FA_create_file, { file_path: y }]] }\n- FA_watch_list: []\n');
    const { stderr, stdout } = spawnSync('unshare', ['-Ur', 'sh', '-c', `echo 3 > /proc/sys/user/max_inotify_watches && exec ${svc} run w.yaml`], { cwd: at.place.root, encoding: 'utf8' });
    expect(stderr + stdout).toMatch(/SVC8651.*"in" cannot be watched: ENOSPC/);
    expect(stderr + stdout).not.toContain('stays');
    await at.close();
  });

  it.skipIf(process.getuid?.() !== 0 || !can('setpriv', '--reuid=65534', '--clear-groups'))('of one folder leave the others watched, with a warning', async () => {
    const at = await openWatchPlace();
    mkdirSync(at.path('open'));
    mkdirSync(at.path('closed'), { mode: 0o700 });
    for (const folder of [at.place.root, at.path('.'), at.path('open')]) chmodSync(folder, 0o777);
    writeFileSync(at.place.path('w.yaml'), 'meta: { run_for_s: 2 }\nactions:\n- FA_watch_start: { name: w, path: in, debounce_ms: 20, action_list: [[FA_copy_file, { source: "${event.path}", target: "${event.name}.done" }]] }\n- [FA_create_file, { file_path: in/open/a, content: x }]\n');
    const { stdout } = spawnSync('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', 'sh', '-c', `exec ${svc} run w.yaml`], { cwd: at.place.root, encoding: 'utf8' });
    expect(stdout).toContain('the watcher "w" may miss changes: EACCES');
    expect([existsSync(at.place.path('a.done')), stdout.includes('0 failed') || !stdout.includes('failed')]).toEqual([true, true]);
    await at.close();
  });
});
