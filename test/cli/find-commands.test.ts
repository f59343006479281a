import { describe, expect, test } from 'vitest';

import { root } from '../built.ts';
import { svc } from './svc.ts';

async function found(text: string): Promise<readonly string[]> {
  const { stdout } = await svc(root, ['commands', 'list', text]);
  return [...stdout.matchAll(/^ {2}([A-Z]{2}_\w+)/gm)].map(([, name = '']) => name);
}

describe('svc commands list finds', () => {
  test('what begins a word, names first', async () => {
    const names = await found('har');
    expect(names.slice(0, 6).every((name) => name.includes('_har'))).toBe(true);
    expect(names).toContain('WR_pw_replay_har');
    // They tell of shared things, of characters and of charts.
    for (const name of ['AT_mock_server_add_router', 'FA_drive_share_file_to_user']) expect(names).not.toContain(name);
  });

  test('a command by its whole name, before those that begin with it', async () => {
    expect((await found('wr_get_cookie')).slice(0, 2)).toEqual(['WR_get_cookie', 'WR_get_cookies']);
    expect((await found('AT_assert_s'))[0]).toMatch(/^AT_assert_s/);
  });

  test('what stands within a word where no word begins with it', async () => {
    expect(await found('napsho')).toContain('WR_match_snapshot');
  });
});
