import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { compileSources } from '#compiler/engine/compile-project.ts';
import { openProject } from '#compiler/engine/project.ts';
import { nodeHost } from '#runtime/hosts/node.ts';

describe('a project', () => {
  let root = '';
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'svc-project-')));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));
  const host = (): ReturnType<typeof nodeHost> => nodeHost({ cwd: root, env: {} });

  test('is opened by root, host and settings, without arguments of a command line', async () => {
    await writeFile(join(root, 'svc.config.yaml'), 'limits: { actions: 7 }\nallow_packages: [shop-tools]\n');
    await writeFile(join(root, 'a.yaml'), 'actions:\n- AT_set_variable: { name: a, value: "{{ given }}" }\n');
    const project = await openProject(root, host(), {
      environment: { name: 'staging' },
      variables: { given: { json: 1 } },
    });
    expect(project.compileOptions).toMatchObject({
      root,
      vars: { given: 1 },
      env: 'staging',
      limits: { actions: 7 },
      allow_packages: ['shop-tools'],
    });
    const compilation = await compileSources('check', [{ path: join(root, 'a.yaml') }], project);
    expect(compilation.diagnostics).toEqual([]);
    expect(project.catalogue.has('AT_set_variable')).toBe(true);
  });

  test('makes its state folder once, when it is asked for', async () => {
    const project = await openProject(root, host());
    const [one, other] = await Promise.all([project.state(), project.state()]);
    expect([one, other]).toEqual([join(root, '.svc'), join(root, '.svc')]);
    expect(await readFile(join(one, '.gitignore'), 'utf8')).toBe('*\n');
  });

  test('is not opened where its configuration is none', async () => {
    await writeFile(join(root, 'svc.config.yaml'), 'limits: { action: 7 }\n');
    await expect(openProject(root, host())).rejects.toMatchObject({ facts: { name: 'config-not-readable' } });
  });
});
