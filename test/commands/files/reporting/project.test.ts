import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { FA_create_project } from '#stdlib/files/reporting/project/project.ts';

import { commandLine } from '../../../built.ts';
import { call, failureOf, openPlace, type Place } from '../call-here.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const create = (parent_name = 'shop'): ReturnType<typeof call<'FA_create_project'>> =>
  call(FA_create_project, place, { project_path: place.path('in'), parent_name });
const all = [
  'executor/executor_folder.ts',
  'executor/executor_one_file.ts',
  'keyword/keyword_create.json',
  'keyword/keyword_teardown.json',
];

it('makes a project whose programs work from anywhere', async () => {
  expect(await create()).toEqual({ root: place.path('in/shop'), files: all, kept: [] });
  await mkdir(place.path('bin'));
  await writeFile(
    place.path('bin/svc'),
    `#!/bin/sh\nexec ${[process.execPath, ...commandLine].map((word) => `"${word}"`).join(' ')} "$@"\n`,
  );
  await chmod(place.path('bin/svc'), 0o755);
  const env = { ...process.env, PATH: `${place.path('bin')}${delimiter}${process.env['PATH'] ?? ''}` };
  const run = (name: string): string =>
    execFileSync(process.execPath, [place.path('in/shop/executor', name)], { cwd: place.root, env, encoding: 'utf8' });
  run('executor_one_file.ts');
  expect((await readdir(place.path('in/shop'))).sort()).toEqual(['executor', 'keyword', 'test.txt', 'test_dir']);
  run('executor_folder.ts');
  expect((await readdir(place.path('in/shop'))).sort()).toEqual(['executor', 'keyword']);
});

it('keeps what is there, and repairs what was removed', async () => {
  await create();
  await writeFile(place.path('in/shop/keyword/keyword_create.json'), 'mine');
  await rm(place.path('in/shop/executor/executor_folder.ts'));
  await rm(place.path('in/shop/keyword/keyword_teardown.json'));
  await symlink('nowhere', place.path('in/shop/keyword/keyword_teardown.json'));
  expect(await create()).toMatchObject({ files: [all[0]], kept: all.slice(1) });
  expect(await readFile(place.path('in/shop/keyword/keyword_create.json'), 'utf8')).toBe('mine');
  expect(await readlink(place.path('in/shop/keyword/keyword_teardown.json'))).toBe('nowhere');
});

it.each(['..', '.', '../x', 'a/b', '/tmp/x', 'a\0b'])('refuses the name %j', async (name) => {
  const { facts } = await failureOf(create(name));
  expect(facts.code).toBe('SVC85003');
  expect(await readdir(place.root)).toEqual([]);
});
