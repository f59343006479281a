import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { PageScripts } from '#stdlib/browser/engines/page/page-scripts.ts';
import { originOf, restoreOrigin } from '#stdlib/browser/engines/page/site-state.ts';
import { readState } from '#stdlib/http/state-file.ts';

import { session } from '../call.ts';

const masked: string[] = [];
const scope = { signal: new AbortController().signal, mask: (text: string) => void masked.push(text) };

/** A page that answers every script with this, and notes what it was given. */
function pageOf(value: unknown): PageScripts & { readonly given: unknown[] } {
  const given: unknown[] = [];
  return {
    given,
    evaluate: (_, _body, args) => {
      given.push(args);
      return Promise.resolve({ value });
    },
  };
}

const cookie = { name: 'a', value: 'cookie-secret', domain: 'x.example', path: '/' };
const origin = { origin: 'https://x.example', localStorage: [{ name: 'k', value: 'store-secret' }] };

describe('a file of cookies and local storage', () => {
  it('is read whole, with what Playwright leaves out, and its values are masked', () => {
    const state = readState(JSON.stringify({ cookies: [cookie], origins: [origin] }), 's.json', scope);
    expect(state).toEqual({
      cookies: [{ ...cookie, expires: -1, httpOnly: false, secure: false, sameSite: 'Lax' }],
      origins: [origin],
    });
    expect(masked).toEqual(expect.arrayContaining(['cookie-secret', 'store-secret']));
    expect(readState(JSON.stringify(state), 's.json', scope)).toEqual(state);
    expect(readState('{}', 's.json', scope)).toEqual({ cookies: [], origins: [] });
  });

  it.each([
    ['{', 'it is no JSON'],
    ['[]', 'it holds no object'],
    ['{"cookies": {}}', '"cookies" must be a list'],
    ['{"cookies": [{"name": "a", "value": "b", "domain": "c"}]}', '"cookies" must be a list'],
    ['{"origins": [null]}', '"origins" must be a list'],
    ['{"origins": [{"origin": 1, "localStorage": []}]}', '"origins" must be a list'],
    ['{"origins": [{"origin": "a", "localStorage": {}}]}', '"origins" must be a list'],
    ['{"origins": [{"origin": "a", "localStorage": [{"name": "k"}]}]}', '"origins" must be a list'],
  ])('%s is refused', (text, reason) => {
    expect(() => readState(text, 's.json', scope)).toThrow(reason);
  });
});

it.skipIf(process.platform === 'win32')(
  'its owner alone may read it, also where a file stood there before',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'svc-state-'));
    try {
      await writeFile(join(root, 'old.json'), '{}', { mode: 0o644 });
      await using unit = await session();
      for (const path of [join(root, 'new.json'), join(root, 'old.json')]) {
        await unit.call('AT_save_storage_state', { path });
        expect((await stat(path)).mode & 0o777, path).toBe(0o600);
      }
    } finally {
      await rm(root, { recursive: true });
    }
  },
);

describe('the local storage of a page', () => {
  it('is that of its site; none where it is empty or the page has no site', async () => {
    expect(await originOf(pageOf(origin), scope)).toEqual([origin]);
    expect(await originOf(pageOf({ ...origin, localStorage: [] }), scope)).toEqual([]);
    expect(await originOf(pageOf(null), scope)).toEqual([]);
  });

  it('is restored from plain values', async () => {
    const page = pageOf(null);
    await restoreOrigin(page, scope, { cookies: [], origins: [origin] });
    expect(page.given).toEqual([[[origin]]]);
  });
});
