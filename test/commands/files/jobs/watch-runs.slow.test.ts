import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import type { StepInfo, WriteObserver } from '#runtime/kernel/ports.ts';
import { observedFiles } from '#runtime/kernel/steps/observed-files.ts';
import type { Files } from '#schemas/types/host.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { failureOf } from '../call-here.ts';
import { runActions } from '../run-actions.ts';
import { openWatchPlace, until, wait } from './watch-place.ts';
import { all, watching } from './watching.ts';

describe('runs', () => {
  watching(
    'are one for all that was collected, with the last change, where each is not asked for',
    async (at, tells) => {
      await at.start({ each: false });
      at.write({ a: '1', b: '2', c: '3' });
      await tells('created c');
    },
  );

  watching('follow one another; what changes meanwhile waits for the next, merged', async (at) => {
    const gate = Promise.withResolvers<void>();
    await at.start({ each: false, does: () => gate.promise });
    at.write({ a: '1' });
    await until(() => at.told.length === 1, 0);
    for (let count = 0; count < 6; count += 1) {
      at.write({ [`b${count}`]: '1' });
      await wait(30);
    }
    await wait(1000);
    gate.resolve();
    await until(() => at.told.length >= 2, 700);
    expect(at.told).toHaveLength(2);
    expect(at.watchers.list()[0]).toMatchObject({ runs: 2, running: true });
  });

  watching('that fail do not end the watch, and are told of', async (at, tells) => {
    await at.start({
      does: () => {
        throw new Error('no');
      },
    });
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
    expect(events).toEqual([
      { type: 'created', path: at.path('x.tar.gz'), name: 'x.tar.gz', stem: 'x.tar', dir: at.place.path('in') },
    ]);
  });
});

describe('starting and stopping', () => {
  watching('refuses what is not there, and a name that is taken', async (at) => {
    expect((await failureOf(at.start({ path: 'nowhere' }))).facts).toMatchObject({
      code: 'SVC87201',
      name: 'TriggerException',
    });
    await at.start();
    expect((await failureOf(at.start())).facts).toMatchObject({ code: 'SVC87206', name: 'TriggerException' });
    expect((await failureOf(at.watchers.stop('x'))).facts).toMatchObject({
      code: 'SVC87207',
      name: 'TriggerException',
    });
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
    expect(await at.watchers.stop('w')).toMatchObject({
      running: false,
      path: at.place.path('in'),
      events: ['created', 'modified'],
    });
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
    const step: StepInfo = { id: 'start', command: 'FA_watch_start', attempt: 1, statusJudged: false };
    await at.start({
      step,
      does: async () => {
        const begin = Date.now();
        await at.watchers.stop('w', { ...step, id: 'inside', around: [step] });
        ms = Date.now() - begin;
      },
    });
    at.write({ a: '1', b: '1' });
    await at.handles[0]?.done;
    // Else it would wait for five seconds.
    expect([ms < 4500, at.told]).toEqual([true, ['created a']]);
  });
});

describe('what the list itself writes', () => {
  const files = nodeHost().files;
  const written = (onWrite: WriteObserver | undefined): Files => observedFiles(files, onWrite ?? never());

  watching('is not told', async (at) => {
    await at.start({
      events: all,
      does: async ({ onWrite }) => {
        const mine = written(onWrite);
        await mine.write(at.path('out/deep/a'), 'a', { parents: true });
        await mine.append(at.path('log'), 'line\n');
        await mine.makeDirectory(at.path('dir/one'), { recursive: true });
        await mine.write(at.path('dir/one/b'), 'b');
        await mine.rename(at.path('dir'), at.path('moved'));
        await mine.copy(at.path('in'), at.path('copy'), { metadata: true });
        await mine.remove(at.path('in'));
        await mine.writeStream(at.path('stream'), slowly());
      },
    });
    at.write({ in: '1' });
    await until(() => at.told.length > 0, 1500);
    expect(at.told).toEqual(['created in']);
  });

  watching('is told once others have changed it', async (at, tells) => {
    await at.start({
      each: false,
      events: all,
      does: async ({ onWrite }) => written(onWrite).write(at.path('out'), 'ours'),
    });
    at.write({ in: '1' });
    await tells('created in');
    at.write({ out: 'theirs, and longer' });
    await tells('created in', 'modified out');
  });

  watching('is told of the others at the same time', async (at) => {
    await at.start({
      does: async ({ onWrite, event }) => {
        if (event?.['name'] !== 'in') return;
        await written(onWrite).write(at.path('ours'), 'x');
        at.write({ theirs: 'x' });
        await wait(200);
      },
    });
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
  it.concurrent(
    'the list runs for each file that it asks for, once for all where it does not, and can end its watch',
    { timeout: 30_000 },
    async () => {
      await using at = await openWatchPlace();
      const inbox = at.path('inbox');
      mkdirSync(inbox);
      const done = runActions(at.place.root, [
        [
          'FA_watch_start',
          {
            name: 'each',
            path: inbox,
            pattern: ['*.csv'],
            settle: 0.2,
            action_list: [
              ['FA_copy_file', { source: '${event.path}', target: at.path('${event.stem}.done') }],
              { FA_watch_stop: ['each'], when: '"${event.name}" == "c.csv"' },
            ],
          },
        ],
        [
          'FA_watch_start',
          { name: 'all', path: inbox, action_list: [['FA_create_file', { file_path: at.path('count') }]] },
        ],
        [
          'FA_watch_start',
          {
            name: 'failing',
            path: at.path('.'),
            recursive: false,
            pattern: '*.done',
            action_list: [
              ['FA_file_checksum', { path: at.path('nothing') }],
              ['FA_watch_stop_all', []],
            ],
          },
        ],
        ['FA_watch_list', []],
        ['FA_create_file', { file_path: at.place.path('ready') }],
      ]);
      await until(() => existsSync(at.place.path('ready')), 0);
      writeFileSync(`${inbox}/a.csv`, '1');
      writeFileSync(`${inbox}/b.csv`, '1');
      writeFileSync(`${inbox}/ignored.part`, '1');
      const { errors, records } = await done;
      expect(errors).toEqual([]);
      const of = (command: string): RunRecord[] =>
        records.filter((record) => record.command === command && record.parent !== undefined);
      expect(of('FA_copy_file').map(({ status }) => status)).toEqual(['passed', 'passed']);
      expect(of('FA_create_file')).toHaveLength(1);
      expect(of('FA_file_checksum').map(({ status }) => status)).toEqual(['failed']);
      expect(records.findLast(({ command }) => command === 'FA_watch_list')?.result).toMatchObject([
        { name: 'each', running: true, actions: 2 },
        { name: 'all' },
        { name: 'failing', recursive: false },
      ]);
    },
  );
});
