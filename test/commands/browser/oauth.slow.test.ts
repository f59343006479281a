import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Provider from 'oidc-provider';
import { OAuth2Server } from 'oauth2-mock-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';

import { failureOf, session } from '../call.ts';

const SECRET = 'a-long-client-secret';
const client = { client_id: 'shop', client_secret: SECRET };
const codeOf = async (work: Promise<unknown>): Promise<string> => (await failureOf(work)).facts.code;

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

describe('grants against a server that grants everything', () => {
  let server: OAuth2Server;
  let token_url: string;
  let asked: Record<string, unknown>[];
  beforeEach(async () => {
    asked = [];
    server = new OAuth2Server();
    await server.issuer.keys.generate('RS256');
    await server.start(0, '127.0.0.1');
    token_url = `http://127.0.0.1:${server.address().port}/token`;
    server.service.on('beforeResponse', (_response, request) => {
      const { body, headers } = request as unknown as { body: object; headers: { authorization?: string } };
      asked.push({ ...body, login: headers.authorization });
    });
  });
  afterEach(() => server.stop());

  it('send the fields of each, in the body or as a login', async () => {
    await using unit = await session();
    await unit.call('WR_oauth_client_credentials', { token_url, ...client, scope: 'a b' });
    await unit.call('WR_oauth_password_grant', { token_url, ...client, username: 'ada', password: 'p@ss word' });
    await unit.call('WR_oauth_refresh_token', { token_url, ...client, refresh_token: 'r-1' });
    await unit.call('WR_oauth_client_credentials', {
      token_url,
      client_id: 'a:b',
      client_secret: 'c d%',
      client_auth: 'basic',
    });
    expect(asked).toEqual([
      { grant_type: 'client_credentials', ...client, scope: 'a b' },
      { grant_type: 'password', ...client, username: 'ada', password: 'p@ss word' },
      { grant_type: 'refresh_token', ...client, refresh_token: 'r-1' },
      { grant_type: 'client_credentials', login: `Basic ${Buffer.from('a%3Ab:c+d%25').toString('base64')}` },
    ]);
  });

  it('keep a token under a name, for whom it was obtained, as long as it lives', async () => {
    const { clock, advance } = movableClock();
    await using unit = await session({ host: { ...nodeHost(), clock } });
    const get = (more: object = {}): Promise<unknown> =>
      unit.call('WR_oauth_client_credentials', { token_url, ...client, cache_key: 'k', ...more });
    const first = await get();
    expect(await get()).toEqual(first);
    expect(await unit.call('WR_oauth_get_cached', { cache_key: 'k' })).toEqual(first);
    expect(asked).toHaveLength(1);
    await get({ scope: 'more' });
    expect(asked).toHaveLength(2);
    const { expires_in: life } = first as { expires_in: number };
    advance((life - 31) * 1000);
    expect(await unit.call('WR_oauth_get_cached', { cache_key: 'k' })).not.toBeNull();
    advance(2000);
    expect(await unit.call('WR_oauth_get_cached', { cache_key: 'k' })).toBeNull();
    await get();
    expect(asked).toHaveLength(3);
    await unit.call('WR_oauth_clear_cache');
    expect(await unit.call('WR_oauth_get_cached', { cache_key: 'k' })).toBeNull();
    expect(await unit.call('WR_oauth_get_cached', { cache_key: '' })).toBeNull();
  });

  it('ask anew for a token that has lived its time, although the wall clock was set back', async () => {
    const { clock, advance, run } = movableClock();
    await using unit = await session({ host: { ...nodeHost(), clock } });
    const get = (): Promise<unknown> =>
      unit.call('WR_oauth_client_credentials', { token_url, ...client, cache_key: 'k' });
    const { expires_in: life } = (await get()) as { expires_in: number };
    advance(-86_400_000);
    expect(await unit.call('WR_oauth_get_cached', { cache_key: 'k' })).not.toBeNull();
    run((life - 29) * 1000);
    expect(await unit.call('WR_oauth_get_cached', { cache_key: 'k' })).toBeNull();
    await get();
    expect(asked).toHaveLength(2);
  });

  it('keep tokens in memory, for one file', async () => {
    const root = await mkdtemp(join(tmpdir(), 'svc-oauth-'));
    try {
      const one = await session({ root });
      const token = (await one.call('WR_oauth_client_credentials', { token_url, ...client, cache_key: 'k' })) as object;
      await using other = await session({ root });
      expect(await other.call('WR_oauth_get_cached', { cache_key: 'k' })).toBeNull();
      await one.end();
      expect(token).toHaveProperty('access_token');
      expect(await readdir(root, { recursive: true })).toEqual([]);
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it('keep a refresh token where the answer has no new one, and read a life that is a text', async () => {
    server.service.on('beforeResponse', (response) => {
      response.body = { access_token: 'access-1', expires_in: '10' };
    });
    await using unit = await session();
    const refresh = { token_url, ...client, refresh_token: 'refresh-1', cache_key: 'r' };
    expect(await unit.call('WR_oauth_refresh_token', refresh)).toMatchObject({ refresh_token: 'refresh-1' });
    expect(await unit.call('WR_oauth_get_cached', { cache_key: 'r' })).toBeNull();
  });

  it('tell refusals and answers without a token, and show no secret anywhere', async () => {
    await using unit = await session();
    const call = (): Promise<unknown> => unit.call('WR_oauth_client_credentials', { token_url, ...client });
    const answers: [number, unknown, string][] = [
      [400, { error: 'invalid_scope', error_description: `no ${SECRET}` }, 'SVC82084'],
      [302, {}, 'SVC82084'],
      [503, 'busy', 'SVC82085'],
      [429, {}, 'SVC82085'],
      [200, { id_token: 'hidden-value' }, 'SVC82086'],
      [200, [], 'SVC82086'],
    ];
    for (const [status, body, code] of answers) {
      server.service.once('beforeResponse', (response) => {
        response.statusCode = status;
        response.body = body as never;
      });
      const failure = await failureOf(call());
      expect([status, failure.facts.code]).toEqual([status, code]);
      expect(failure.message).not.toContain('hidden-value');
    }
    server.service.once('beforeResponse', (response) => {
      response.body = { error: 'bad_code', error_description: 'used already' } as never;
    });
    expect((await failureOf(call())).facts.help).toBe('bad_code: used already');
    const token = (await call()) as { access_token: string };
    const written = JSON.stringify(unit.records) + JSON.stringify(unit.events);
    expect(written).not.toContain(SECRET);
    expect(written).not.toContain(token.access_token);
  });

  it.each(['', 'a b', 'a\r\nX: y', 'ü'])('refuse %j as a bearer token', async (access_token) => {
    await using unit = await session();
    expect(await codeOf(unit.call('WR_oauth_bearer_header', { access_token }))).toBe('SVC82087');
  });
});

describe('grants against a strict provider', () => {
  let server: Server;
  let provider: Provider;
  let token_url: string;
  beforeAll(async () => {
    server = createServer((request, response) => void provider.callback()(request, response));
    const port = await listening(server);
    provider = new Provider(`http://127.0.0.1:${port}`, {
      clients: ['basic', 'post'].map((kind) => ({
        client_id: kind,
        client_secret: SECRET,
        grant_types: ['client_credentials', 'refresh_token', 'authorization_code'],
        redirect_uris: ['https://127.0.0.1/back'],
        response_types: ['code' as const],
        token_endpoint_auth_method: `client_secret_${kind}` as 'client_secret_basic' | 'client_secret_post',
      })),
      features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
      rotateRefreshToken: true,
      cookies: { keys: ['test'] },
    });
    token_url = `http://127.0.0.1:${port}/token`;
  });
  afterAll(() => void server.close());

  const refreshToken = async (): Promise<string> => {
    const grant = new provider.Grant({ clientId: 'basic', accountId: 'ada' });
    grant.addOIDCScope('openid offline_access');
    const token = new provider.RefreshToken({
      accountId: 'ada',
      client: (await provider.Client.find('basic')) as never,
      grantId: await grant.save(),
      scope: 'openid offline_access',
      gty: 'authorization_code',
    });
    return await token.save();
  };

  it('name the client as it wants', async () => {
    await using unit = await session();
    const ask = (client_id: string, more: object = {}): Promise<unknown> =>
      unit.call('WR_oauth_client_credentials', { token_url, client_id, client_secret: SECRET, ...more });
    expect(await ask('basic', { client_auth: 'basic' })).toMatchObject({ token_type: 'Bearer' });
    expect(await ask('post')).toMatchObject({ token_type: 'Bearer' });
    const wrong = await failureOf(ask('basic', { client_auth: 'basic', client_secret: 'another-secret' }));
    expect([wrong.facts.code, wrong.message]).toEqual(['SVC82084', expect.stringContaining('invalid_client')]);
  });

  it('refresh a token that may be used once, although two steps ask at the same time', async () => {
    await using unit = await session();
    const token = await refreshToken();
    const refresh = {
      token_url,
      client_id: 'basic',
      client_secret: SECRET,
      client_auth: 'basic',
      refresh_token: token,
    };
    const [first, second] = await Promise.all([
      unit.call('WR_oauth_refresh_token', refresh),
      unit.call('WR_oauth_refresh_token', refresh),
    ]);
    expect(second).toEqual(first);
    expect((first as { refresh_token: string }).refresh_token).not.toBe(token);
    expect(await codeOf(unit.call('WR_oauth_refresh_token', refresh))).toBe('SVC82084');
  });
});

/** Clock of the machine, whose wall clock a test moves (`advance`), or both its times (`run`). */
function movableClock(): {
  readonly clock: ReturnType<typeof nodeHost>['clock'];
  readonly advance: (ms: number) => void;
  readonly run: (ms: number) => void;
} {
  const { clock } = nodeHost();
  let [ahead, ran] = [0, 0];
  const moved = Object.create(clock, {
    now: { value: () => clock.now() + ahead + ran },
    monotonic: { value: () => clock.monotonic() + ran },
  }) as typeof clock;
  return { clock: moved, advance: (ms) => (ahead += ms), run: (ms) => (ran += ms) };
}
