import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { failureOf, session, type Session } from '../call.ts';

/** Seconds since 1970. */
const inDays = (days: number): number => Math.floor(Date.now() / 1000) + days * 86_400;

describeInChromium('what browsers keep', () => {
  let pages: Pages;
  let unit: Session;
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-states-'));
    pages = await servePages();
    unit = await session({
      settings: chromium.pages,
      root: folder,
      unit: { base_url: { lit: `${pages.url}/` } },
    });
    await unit.call('WR_pw_launch', {});
    await unit.call('WR_new_driver', { webdriver_name: 'chromium' });
  });
  afterAll(async () => {
    await unit.end();
    await pages[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const engines = {
    playwright: {
      open: () => unit.call('WR_pw_to_url', { url: '/storage' }),
      script: (text: string) => unit.call('WR_pw_evaluate', { expression: text }),
      save: 'WR_pw_save_storage_state',
      load: 'WR_pw_load_storage_state',
    },
    webdriver: {
      open: () => unit.call('WR_to_url', { url: '/storage' }),
      script: (text: string) => unit.call('WR_execute_script', { script: `return ${text}` }),
      save: 'WR_save_storage_state',
      load: 'WR_load_storage_state',
    },
  } as const;

  test.for([
    ['playwright', 'webdriver'],
    ['webdriver', 'playwright'],
    ['playwright', 'playwright'],
    ['webdriver', 'webdriver'],
  ] as const)('a login of %s goes on with %s', async ([from, to]) => {
    const path = join(folder, `${from}-${to}.json`);
    await engines[from].open();
    await engines[from].script(
      `(document.cookie = 'sid=${from}-${to}-session; path=/; max-age=3600', document.cookie = 'tab=one; path=/', localStorage.setItem('basket', 'tea ☕'))`,
    );
    const told = await unit.call(engines[from].save, { path });
    expect(told).toMatchObject({ cookies: expect.any(Number) as number, origins: 1 });
    await engines[to].open();
    await engines[to].script(`(document.cookie = 'sid=older; path=/', localStorage.setItem('other', 'x'))`);
    expect(await unit.call(engines[to].load, { path })).toEqual(told);
    await engines[to].open();
    expect(await engines[to].script(`document.cookie.split('; ').sort()`)).toEqual(
      expect.arrayContaining([`sid=${from}-${to}-session`, 'tab=one']),
    );
    expect(await engines[to].script(`({ ...localStorage })`)).toEqual({ basket: 'tea ☕' });
    // The cookie of the login is in the file, and in nothing that is told.
    expect(await readFile(path, 'utf8')).toContain(`${from}-${to}-session`);
    expect(JSON.stringify(unit.records.filter(({ command }) => command.includes('state')))).not.toContain('-session');
  });

  /** Cookies of several sites, each with other marks, as a state holds them. */
  const cookies = [
    { domain: '.shop.example', expires: inDays(2), httpOnly: true, sameSite: 'None', secure: true },
    { domain: '127.0.0.1', expires: inDays(1), path: '/basket', sameSite: 'Lax' },
    { domain: 'localhost', expires: -1, httpOnly: true, sameSite: 'Strict' },
    { domain: 'shop.example', expires: -1, path: '/a/b', sameSite: 'Lax', secure: true },
  ].map((marks, index) => ({
    name: `kept-${index}`,
    value: `canary-state-${index}`,
    path: '/',
    httpOnly: false,
    secure: false,
    ...marks,
  }));

  test.for([
    ['WR_pw_load_storage_state', 'WR_pw_save_storage_state'],
    ['WR_load_storage_state', 'WR_save_storage_state'],
    ['AT_load_storage_state', 'AT_save_storage_state'],
  ] as const)('cookies keep domain, path, expiry and marks through %s', async ([load, save]) => {
    const [given, kept] = [join(folder, 'given.json'), join(folder, 'kept.json')];
    await writeFile(given, JSON.stringify({ cookies, origins: [] }));
    expect(await unit.call(load, { path: given })).toEqual({ cookies: 4, origins: 0 });
    expect(await unit.call(save, { path: kept })).toMatchObject({ cookies: 4 });
    const { cookies: found } = JSON.parse(await readFile(kept, 'utf8')) as {
      readonly cookies: typeof cookies;
    };
    expect(found.toSorted((one, other) => one.name.localeCompare(other.name))).toEqual(cookies);
    expect(unit.work.run.masker.text(JSON.stringify(found))).not.toContain('canary-state');
  });

  test('a login over HTTP goes on in both browsers, and comes back from them', async () => {
    const path = join(folder, 'login.json');
    const url = `${pages.url}/login`;
    const asked = (): Promise<unknown> =>
      unit.call('AT_test_api_method', {
        http_method: 'session_get',
        test_url: `${pages.url}/cookies`,
      });
    await unit.call('AT_test_api_method', { http_method: 'session_get', test_url: url });
    await unit.call('AT_save_storage_state', { path });
    for (const { open, script, load, save } of Object.values(engines)) {
      await unit.call(load, { path });
      await open();
      expect(await script(`fetch('/cookies').then((answer) => answer.text())`)).toContain('login=canary-login-8Rt');
      await script(`document.cookie = 'seen=${load}; path=/'`);
      await unit.call(save, { path });
      await unit.call('AT_load_storage_state', { path });
      expect(await asked()).toMatchObject({
        text: expect.stringMatching(new RegExp(`login=canary-login-8Rt.*seen=${load}`)) as string,
      });
    }
    expect(JSON.stringify(unit.records)).not.toContain('canary-login');
  });

  test('cookies that open doors are hidden where they are read', async () => {
    const value = { webdriver: 'canary-read-1Vb', playwright: 'canary-read-2Nm' };
    await unit.call('WR_to_url', { url: '/storage' });
    await unit.call('WR_cdp', {
      method: 'Network.setCookie',
      params: { name: 'a', value: value.webdriver, url: pages.url, httpOnly: true },
    });
    expect(await unit.call('WR_get_cookie', { name: 'a' })).toMatchObject({ value: value.webdriver });
    await unit.call('WR_get_cookies');
    await unit.call('WR_pw_to_url', { url: '/storage' });
    await unit.call('WR_pw_evaluate', { expression: "document.cookie = 'theme=midnight; path=/'" });
    await unit.call('WR_pw_cdp', {
      method: 'Network.setCookie',
      params: { name: 'sid', value: value.playwright, url: pages.url },
    });
    await unit.call('WR_pw_get_cookies');
    const read = JSON.stringify(unit.records.filter(({ command }) => command.includes('get_cookie')));
    expect(read).not.toContain('canary-read');
    expect(read).toContain('midnight');
  });

  test.for(['WR_pw_load_storage_state', 'WR_load_storage_state', 'AT_load_storage_state'])(
    '%s refuses what is no state',
    async (command) => {
      for (const text of ['', '[]', '{"cookies":{}}', '{"cookies":[{"name":"a"}]}', '{"origins":[{"origin":"x"}]}']) {
        const path = join(folder, 'unfit.json');
        await writeFile(path, text);
        expect((await failureOf(unit.call(command, { path }))).facts.code).toBe('SVC81098');
      }
    },
  );

  test.for([
    ['playwright', 'WR_pw_cdp'],
    ['webdriver', 'WR_cdp'],
  ] as const)('%s makes a passkey with a virtual authenticator and logs in by it', async ([engine, command]) => {
    const ask = (method: string, params = {}): Promise<unknown> => unit.call(command, { method, params });
    // A passkey belongs to a name, not to an address of a machine.
    const url = `${pages.url.replace('127.0.0.1', 'localhost')}/forms`;
    await unit.call(engine === 'playwright' ? 'WR_pw_to_url' : 'WR_to_url', { url });
    await ask('WebAuthn.enable');
    const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true };
    const { authenticatorId } = (await ask('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
    })) as { readonly authenticatorId: string };
    const made = `navigator.credentials.create({ publicKey: { challenge: new Uint8Array(16), rp: { id: 'localhost', name: 'Shop' },
      user: { id: new Uint8Array([1, 2]), name: 'ann', displayName: 'Ann' }, pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' } } }).then(({ id }) => id)`;
    const used = `navigator.credentials.get({ publicKey: { challenge: new Uint8Array(16), rpId: 'localhost', userVerification: 'required' } })
      .then(({ id, response }) => [id, new Uint8Array(response.userHandle).join()])`;
    const id = await engines[engine].script(`(${made})`);
    expect(await engines[engine].script(`(${used})`)).toEqual([id, '1,2']);
    expect(await ask('WebAuthn.getCredentials', { authenticatorId })).toMatchObject({
      credentials: [{ isResidentCredential: true, rpId: 'localhost', signCount: 2 }],
    });
    await ask('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  });

  test('answers come from an archive when their server is gone', async () => {
    const path = join(folder, 'traffic.har');
    const site = await servePages();
    await unit.call('WR_pw_start_har_recording', { har_path: path, content: 'embed' });
    await unit.call('WR_pw_to_url', { url: `${site.url}/forms` });
    await unit.call('WR_pw_evaluate', {
      expression: "fetch('/said-by', { method: 'POST', body: 'tea' }).then((answer) => answer.text())",
    });
    await unit.call('WR_pw_stop_har_recording');
    await site[Symbol.asyncDispose]();
    await unit.call('WR_pw_replay_har', { har_path: path });
    await unit.call('WR_pw_to_url', { url: `${site.url}/forms` });
    expect(await unit.call('WR_pw_title')).toBe('Forms');
    const asking = (body: string): Promise<unknown> =>
      unit.call('WR_pw_evaluate', {
        expression: `fetch('/said-by', { method: 'POST', body: '${body}' }).then((answer) => answer.text(), () => 'failed')`,
      });
    expect(await asking('tea')).toBe('server');
    expect(await asking('salt')).toBe('failed');
    const unheld = await failureOf(unit.call('WR_pw_to_url', { url: `${site.url}/tabs` }));
    expect(unheld.message).toContain(`ERR_FAILED; "${path}" answers here, and does not hold it`);
    await unit.call('WR_pw_to_url', { url: `${site.url}/forms` });
    await unit.call('WR_pw_route_mock', { url_pattern: '**/said-by', response: { body: 'mock' } });
    expect(await asking('salt')).toBe('mock');
    await unit.call('WR_pw_route_clear');
    expect(await asking('tea')).toBe('failed');
    await unit.call('WR_pw_replay_har', { har_path: path, url_pattern: '**/forms', not_found: 'fallback' });
    await unit.call('WR_pw_to_url', { url: `${site.url}/forms` });
    await unit.call('WR_pw_to_url', { url: `${pages.url}/tabs` });
    expect(await unit.call('WR_pw_title')).toBe('Tabs');
  });
});
