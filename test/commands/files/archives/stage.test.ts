import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import { Stage } from '#stdlib/files/archives/stage.ts';

let root = '';
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'svc-stage-'))));
afterEach(() => rm(root, { recursive: true, force: true }));

const stageOver = (files = nodeHost().files): Stage =>
  new Stage({ files, signal: new AbortController().signal, durable: false }, root);

it('leaves nothing behind, also where it was never opened', async () => {
  await stageOver().close();
  const stage = stageOver();
  await stage.open();
  expect(await readdir(root)).toHaveLength(1);
  await stage.close();
  expect(await readdir(root)).toEqual([]);
});

it('tells why its folder cannot be removed', async () => {
  const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
  const stage = stageOver({ ...nodeHost().files, removeTree: () => Promise.reject(denied) });
  await stage.open();
  await expect(stage.close()).rejects.toBe(denied);
});
