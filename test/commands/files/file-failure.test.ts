import { symlink } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { fileFailure } from '#runtime/kernel/file-failure.ts';
import { FA_create_dir } from '#stdlib/files/local/dirs/dirs.ts';
import { FA_create_file } from '#stdlib/files/local/files/files.ts';
import { inParallel } from '#stdlib/files/in-parallel.ts';

import { call, failureOf, openPlace, type Place } from './call-here.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const create = (file_path: string): Promise<unknown> =>
  call(FA_create_file, place, { file_path, content: 'x', encoding: 'utf-8' });

describe('errors of the file system', () => {
  it.skipIf(process.platform !== 'linux')('a device that is full', async () => {
    expect((await failureOf(create('/dev/full'))).facts).toMatchObject({ code: 'SVC85005', class: 'environment' });
  });

  it('links that go round in a circle', async () => {
    await symlink('b', place.path('a'));
    await symlink('a', place.path('b'));
    expect((await failureOf(create(place.path('a')))).facts.code).toBe('SVC85014');
    expect((await failureOf(call(FA_create_dir, place, { dir_path: place.path('a/c') }))).facts.code).toBe('SVC85014');
  });

  it.each([
    ['EACCES', 'SVC85004', 'environment'],
    ['EPERM', 'SVC85004', 'environment'],
    ['EDQUOT', 'SVC85005', 'environment'],
    ['EROFS', 'SVC85006', 'environment'],
    ['ENOTEMPTY', 'SVC85011', 'real'],
    ['EMFILE', 'SVC85012', 'transient'],
    ['EBUSY', 'SVC85013', 'transient'],
    ['EIO', 'SVC85015', 'environment'],
  ])('%s is told as %s', (code, expected, kind) => {
    const error = Object.assign(new Error(`${code}: no`), { code, path: '/x' });
    const failure = fileFailure(error);
    expect([failure?.facts.code, failure?.facts.class, failure?.cause]).toEqual([expected, kind, error]);
    expect(failure?.message).toContain('"/x"');
  });

  it('what is none of the file system is left alone', () => {
    expect(fileFailure(new Error('no code'))).toBeUndefined();
    expect(fileFailure(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))).toBeUndefined();
    expect(
      fileFailure(Object.assign(new Error('no program'), { code: 'ENOENT', syscall: 'spawn ls', path: 'ls' })),
    ).toBeUndefined();
  });
});

describe('a few things at a time', () => {
  it('begin in order, at most eight at once, and all end', async () => {
    let running = 0;
    let most = 0;
    const done: number[] = [];
    await inParallel(
      Array.from({ length: 40 }, (_, index) => index),
      async (item) => {
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setTimeout(resolve, item % 3));
        running -= 1;
        done.push(item);
      },
    );
    expect(most).toBe(8);
    expect(done.sort((one, other) => one - other)).toEqual(Array.from({ length: 40 }, (_, index) => index));
  });

  it('after a failure nothing more begins, what runs is waited for, and the first item that failed is told', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const work = inParallel(
      Array.from({ length: 40 }, (_, index) => index),
      async (item) => {
        begun.push(item);
        await new Promise((resolve) => setTimeout(resolve, item === 2 ? 20 : 5));
        ended.push(item);
        if (item === 2 || item === 5) throw new Error(`item ${item}`);
      },
    );
    await expect(work).rejects.toThrow('item 2');
    expect(ended.length).toBe(begun.length);
    expect(begun.length).toBeLessThan(40);
  });
});
