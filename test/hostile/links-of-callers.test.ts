import { lstat, mkdir, mkdtemp, readlink, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { confinedHost } from '#compiler/engine/callers/confined-host.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { Files } from '#schemas/types/host.ts';

let top = '';
let root = '';
let files: Files;
beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'svc-links-')));
  root = join(top, 'project');
  await mkdir(join(root, 'a/b/c'), { recursive: true });
  await mkdir(join(root, 'outside'));
  await mkdir(join(top, 'outside'));
  await writeFile(join(top, 'outside/secret.txt'), 'not for callers');
  files = confinedHost(nodeHost({ cwd: root }), [root]).host.files;
});
afterEach(() => rm(top, { recursive: true, force: true }));

const refused = /lies outside of the project root/;

/** A caller who has such a link moves its folder to a path while another call looks at what stands there. */
describe('callers of confined folders get no link that leads out', () => {
  it.each([
    ['../outside', 'way-out'],
    ['/etc', 'a/way-out'],
    ['../../../outside', 'a/b/way-out'],
    // `c` may become a link to a folder that is less deep.
    ['c/../../outside', 'a/b/way-out'],
    ['c/../c', 'a/b/way-out'],
  ])('made: %s at %s', async (target, path) => {
    await expect(files.link(target, path)).rejects.toThrow(refused);
    await expect(lstat(join(root, path))).rejects.toThrow('ENOENT');
  });

  it('by moving a link, or what holds one, to where it is less deep', async () => {
    await files.link('../../outside', 'a/b/inside');
    await expect(files.rename('a/b', 'moved')).rejects.toThrow(refused);
    await expect(files.rename('a/b/inside', 'moved')).rejects.toThrow(refused);
    await expect(files.hardLink('a/b/inside', 'moved')).rejects.toThrow(refused);
    const entries = [{ from: join(root, 'a/b'), name: 'moved' }];
    await expect(files.moveInto(root, entries, { below: root })).rejects.toThrow(refused);
    await expect(lstat(join(root, 'moved'))).rejects.toThrow('ENOENT');
    expect(await readlink(join(root, 'a/b/inside'))).toBe('../../outside');
  });

  it('by moving what holds one that was there before', async () => {
    await symlink('../../../outside', join(root, 'a/b/before'));
    await expect(files.rename('a', 'other')).rejects.toThrow(refused);
  });

  it('by making one in a folder that another call is moving', async () => {
    const outcomes = await Promise.allSettled([files.rename('a/b/c', 'c'), files.link('../../../outside', 'a/b/c/l')]);
    expect(outcomes.map(({ status }) => status)).not.toEqual(['fulfilled', 'fulfilled']);
    await expect(lstat(join(root, 'c/l'))).rejects.toThrow('ENOENT');
  });

  it('and move links that stay inside', async () => {
    await files.link('../../outside', 'a/b/inside');
    await files.link('c', 'a/b/beside');
    await files.link(join(root, 'outside'), 'a/b/whole');
    await files.makeDirectory('d/e/f', { recursive: true });
    await files.rename('a/b', 'd/e/f/b');
    expect(await readlink(join(root, 'd/e/f/b/inside'))).toBe('../../outside');
    await files.rename('d/e/f/b/beside', 'beside');
    expect(await readlink(join(root, 'beside'))).toBe('c');
  });
});
