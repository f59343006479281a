import { describe, expect, it } from 'vitest';

import { call, is_within, safe_join } from '#compiler/cli/library/files.ts';

describe('safe_join', () => {
  it('resolves below a folder', async () => {
    expect(await safe_join('/usr', 'lib/../x')).toBe('/usr/x');
  });

  it('rejects what leads out, with the name of the specification', async () => {
    await expect(safe_join('/usr', '../etc')).rejects.toMatchObject({ name: 'PathTraversalException', facts: { code: 'SVC8402' } });
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
    await expect(call('FA_safe_join', { base: '/usr' })).rejects.toThrow(/user_path/);
    await expect(call('FA_safe_join', { base: '/usr', user_path: 7 as never })).rejects.toThrow(/user_path/);
  });

  it('knows only commands', async () => {
    await expect(call('FA_none' as 'FA_safe_join', {})).rejects.toThrow('FA_none');
  });
});
