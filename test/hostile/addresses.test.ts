import type { Socket } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import type { Host } from '#schemas/types/host.ts';
import { Failure } from '#schemas/types/failure.ts';

import { startRaw, type Started } from '../commands/api/servers.ts';
import { session } from '../commands/session.ts';

/** Ways to write an address of this machine, of a private network or of a cloud's metadata service. */
const forms: readonly string[] = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.000.000.001',
  '127.0.0.1.',
  '2130706433',
  '0x7f000001',
  '0x7F.0.0.1',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '0177.1',
  '0',
  '0.0.0.0',
  '0x0',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'inside.example',
  'both.example',
  'rebinding.example',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '１２７.0.0.1',
  '%31%32%37.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '0251.0376.0251.0376',
  '100.100.100.200',
  '224.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fe80::1%25lo]',
  '[::1%25lo]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
];

/**
 * Names of a test; the owner of `rebinding.example` answers with a public address once, and then with one of this
 * machine.
 */
function hostWithNames(): Host {
  const host = nodeHost();
  let asked = 0;
  const names: Readonly<Record<string, () => readonly string[]>> = {
    'inside.example': () => ['10.0.0.7'],
    'shop.example': () => ['10.0.0.8'],
    'both.example': () => ['93.184.216.34', '127.0.0.1'],
    'rebinding.example': () => (asked++ === 0 ? ['127.0.0.1'] : ['93.184.216.34']),
  };
  return { ...host, lookup: (name) => (names[name] ? Promise.resolve(names[name]()) : host.lookup(name)) };
}

interface Caller {
  readonly what: string;
  readonly command: string;
  readonly params: (host: string, port: number) => Readonly<Record<string, unknown>>;
  /** Refused also where nobody has denied it. */
  readonly always?: true;
}

/** Hosts as protocols without URLs have them. */
const bare = (host: string): string => host.replace(/^\[|\]$/g, '').replace('%25', '%');
const web = (host: string, port: number): string => `http://${host}:${port}/`;
const proxied = { http_method: 'get', test_url: 'http://shop.example/' };
const sink = (type: string, options: (host: string, port: number) => object, what = type): Caller => ({
  what,
  command: 'FA_notify_register',
  params: (host, port) => ({ type, options: options(host, port) }),
  always: true,
});

const callers: readonly Caller[] = [
  {
    what: 'a request',
    command: 'AT_test_api_method',
    params: (host, port) => ({ http_method: 'get', test_url: web(host, port) }),
  },
  {
    what: 'a request with a session',
    command: 'AT_test_api_method',
    params: (host, port) => ({ http_method: 'session_get', test_url: web(host, port) }),
  },
  {
    what: 'a request with user information',
    command: 'AT_test_api_method',
    params: (host, port) => ({ http_method: 'get', test_url: `http://shop.example:1@${host}:${port}/` }),
  },
  {
    what: 'the other client',
    command: 'AT_test_api_method_httpx',
    params: (host, port) => ({ http_method: 'get', test_url: web(host, port) }),
  },
  {
    what: 'GraphQL',
    command: 'AT_test_api_method_graphql',
    params: (host, port) => ({ url: web(host, port), query: '{a}' }),
  },
  {
    what: 'a proxy',
    command: 'AT_test_api_method',
    params: (host, port) => ({ ...proxied, proxies: { all: `http://${host}:${port}` } }),
  },
  {
    what: 'a SOCKS proxy',
    command: 'AT_test_api_method',
    params: (host, port) => ({ ...proxied, proxies: { all: `socks5://${host}:${port}` } }),
  },
  {
    what: 'a download',
    command: 'FA_download_file',
    params: (host, port) => ({ url: web(host, port), target: '/nonexistent/target' }),
    always: true,
  },
  sink('webhook', (host, port) => ({ url: web(host, port) })),
  sink('chat', (host, port) => ({ webhook_url: web(host, port) })),
  sink('telegram', (host, port) => ({ bot_token: '1:a', chat_id: 1, api_url: web(host, port) })),
  sink('pagerduty', (host, port) => ({ routing_key: 'k'.repeat(32), events_url: web(host, port) })),
  sink('email', (host, port) => ({
    host: bare(host),
    port,
    sender: 'a@example.org',
    recipients: ['b@example.org'],
    use_tls: false,
  })),
  {
    what: 'a lock in PostgreSQL',
    command: 'FA_db_lock_status',
    params: (host, port) => ({ db_path: `postgresql://u:p@${host}:${port}/d`, name: 'x' }),
  },
  {
    what: 'a lock in MariaDB',
    command: 'FA_db_lock_status',
    params: (host, port) => ({ db_path: `mariadb://u:p@${host}:${port}/d`, name: 'x' }),
  },
  {
    what: 'a collector of traces',
    command: 'FA_tracing_init',
    params: (host, port) => ({ exporter: web(host, port) }),
  },
];

let hits = 0;
let server: Started;
beforeAll(
  async () =>
    void (server = await startRaw((socket: Socket) => {
      hits++;
      socket.destroy();
    })),
);
afterAll(() => server[Symbol.asyncDispose]());

/** The name of the failure; fails where there is none. */
async function refusal(caller: Caller, form: string, gates: Readonly<Record<string, boolean>>): Promise<string> {
  await using unit = await session({ host: hostWithNames(), settings: { gates } });
  try {
    await unit.call(caller.command, caller.params(form, server.port), { timeout_s: 5 });
    return 'none';
  } catch (error) {
    if (error instanceof Failure) return error.facts.name;
    throw error;
  }
}

describe.each(callers)('$what', (caller) => {
  it('goes to no address of this machine or of a private network where the gate `private` is denied', async () => {
    hits = 0;
    const passed: string[] = [];
    for (const form of forms) {
      const name = await refusal(caller, form, { private: false });
      const readable = URL.canParse(`http://${form}/`) || caller.what === 'email';
      if (readable ? name !== 'UrlValidationException' : name === 'none') passed.push(`${form}: ${name}`);
    }
    expect(passed).toEqual([]);
    expect(hits).toBe(0);
  }, 60_000);
});

describe('addresses that come from outside', () => {
  it.each(callers.filter(({ always }) => always))(
    'are public where nobody has said anything: $what',
    async (caller) => {
      for (const form of ['127.0.0.1', '2130706433', '[::ffff:7f00:1]', 'both.example']) {
        expect(await refusal(caller, form, {}), form).toBe('UrlValidationException');
      }
    },
  );
});

describe('a local run', () => {
  it('asks this machine where nobody has denied it', async () => {
    hits = 0;
    await using unit = await session();
    await unit.step('AT_test_api_method', { http_method: 'get', test_url: web('127.0.0.1', server.port) });
    expect(hits).toBeGreaterThan(0);
  });
});
