import { describe, expect, it } from 'vitest';

import { check } from '#compiler/api.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';

/** Findings of a file that adds two plugins, each with commands of its own. */
async function found(one: unknown, two: unknown, actions = '[AT_fake_uuid]'): Promise<readonly string[]> {
  const host = memoryHost({ cwd: '/work' });
  for (const [name, commands] of Object.entries({ one, two })) {
    await host.files.makeDirectory(`/work/node_modules/${name}`, { recursive: true });
    const manifest = { name, svc: { actions: './actions.js#register', commands } };
    await host.files.write(`/work/node_modules/${name}/package.json`, JSON.stringify(manifest));
  }
  const content = `meta: { modules: [one, two] }\nactions: ${actions}\n`;
  const { diagnostics } = await check([{ path: '/work/a.yaml', content }], {}, host);
  return diagnostics.map(({ code, slug, message }) => `${code} ${slug}: ${message}`);
}

describe('a command that two plugins bring', () => {
  it.each([
    [['same'], ['same', 'more']],
    [{ same: {} }, ['same']],
  ])('is refused: %j and %j', async (one, two) => {
    expect(await found(one, two)).toEqual([
      'SVC40111 plugin-command-taken: The plugin "two" brings the command "same", as "one" does.',
    ]);
  });

  it.each([
    [['one_a'], ['two_a']],
    [undefined, ['same']],
  ])('is none: %j and %j', async (one, two) => {
    expect(await found(one, two)).toEqual([]);
  });
});

describe('a command of a plugin', () => {
  it('may be called by a word that other tools have for a step', async () => {
    const actions = '[{ copy: { src: a.txt, dest: b.txt } }, { shell: ls }, { method: get }, { url: a }]';
    expect(await found(['copy', 'shell', 'method', 'url'], [], actions)).toEqual([]);
  });
});
