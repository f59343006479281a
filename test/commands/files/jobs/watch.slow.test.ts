import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';

import { describe, expect } from 'vitest';

import { until, wait } from './watch-place.ts';
import { all, watching } from './watching.ts';

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

describe('a file that grows', () => {
  watching('is told of once it has stopped for the time to settle', async (at, tells) => {
    let end = 0;
    await at.start({
      settleMs: 1500,
      does: () => {
        end = Date.now();
      },
    });
    for (let count = 0; count < 8; count += 1) {
      appendFileSync(at.path('big'), 'x');
      await wait(100);
    }
    const last = Date.now();
    await tells('created big');
    expect(end - last).toBeGreaterThan(1300);
  });

  watching('and is renamed is told of under its last name, and removed not at all', async (at, tells) => {
    await at.start({ settleMs: 1500, events: all });
    at.write({ one: '1', two: '2' });
    await wait(150);
    renameSync(at.path('one'), at.path('three'));
    rmSync(at.path('two'));
    await tells('created three');
  });

  watching('is waited for when only its time changes', async (at, tells) => {
    await at.start({ settleMs: 3000 });
    at.write({ mapped: '1' });
    await wait(1500);
    utimesSync(at.path('mapped'), 10, 10);
    await wait(2000);
    expect(at.told).toEqual([]);
    await tells('created mapped');
  });
});
