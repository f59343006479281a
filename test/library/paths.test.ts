import { describe, expect, it } from 'vitest';

import { call, Failure, is_within, safe_join } from '#compiler/library/files.ts';

describe('safe_join', () => {
  it('resolves below a folder', async () => {
    expect(await safe_join('/usr', 'lib/../x')).toBe('/usr/x');
  });

  it('rejects what leads out, with the name of the specification', async () => {
    await expect(safe_join('/usr', '../etc')).rejects.toMatchObject({
      name: 'PathTraversalException',
      facts: { code: 'SVC85002' },
    });
  });

  it('takes references as text', async () => {
    expect(await safe_join('/usr', '${cwd}')).toBe('/usr/${cwd}');
  });
});

describe('is_within', () => {
  it('answers where a step would fail', async () => {
    expect([await is_within('/usr', 'a'), await is_within('/usr', '/etc')]).toEqual([true, false]);
  });
});

describe('call', () => {
  it('holds parameters to the declaration', async () => {
    // @ts-expect-error -- "user_path" has no default
    await expect(call('FA_safe_join', { base: '/usr' })).rejects.toThrow(/user_path/);
    await expect(call('FA_safe_join', { base: '/usr', user_path: 7 as never })).rejects.toThrow(/user_path/);
  });

  it('knows only commands, and offers near ones', async () => {
    const none = { base: '', user_path: '' };
    await expect(call('FA_none' as 'FA_safe_join', none)).rejects.toThrow('FA_none');
    await expect(call('FA_safe_jion' as 'FA_safe_join', none)).rejects.toMatchObject({
      facts: { help: 'did you mean "FA_safe_join"?' },
    });
  });

  it('leaves lists of actions to execute_action', async () => {
    // @ts-expect-error -- a list of actions is no value
    const called = call('FA_if_exists', { path: '/usr', then: [['FA_create_dir', { dir_path: 'never' }]] });
    await expect(called).rejects.toThrow(/"then" is a list of actions, which `execute_action` runs/);
  });

  it('rejects with a Failure that says what it is', async () => {
    const failure: unknown = await call('FA_file_checksum', { path: '/none' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({
      name: 'FileNotExistsException',
      facts: { code: expect.stringMatching(/^SVC8\d{4}$/) as string, class: 'real' },
    });
  });
});
