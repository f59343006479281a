import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readGraph } from './imports/read-graph.ts';

const root = join(import.meta.dirname, '../..');

/** Modules of Node and packages that open connections, or look up names for them. */
const openers = new Set([
  ...['net', 'tls', 'http', 'https', 'http2', 'dgram', 'dns', 'dns/promises', 'inspector'].map(
    (name) => `node:${name}`,
  ),
  ...[
    'undici',
    '@grpc/grpc-js',
    'nodemailer',
    'pg',
    'ws',
    'mysql2',
    'selenium-webdriver',
    'ssh2',
    'basic-ftp',
    'playwright-core',
    '@opentelemetry/exporter-trace-otlp-http',
  ],
]);

/** Names of `node:net` that only read an address. */
const harmless = new Set(['isIP', 'isIPv4', 'isIPv6', 'BlockList']);

/**
 * Modules that open connections, and how each keeps to the addresses that may be asked. An adapter asks the
 * port `outbound` for every connection: it alone decides which addresses may be asked, and gives sockets and
 * lookups that keep to that.
 */
const doors: Readonly<Record<string, string>> = {
  'runtime/adapters/outbound/': 'the place that decides',
  'runtime/adapters/browser-proxy/': 'asks outbound',
  'runtime/adapters/http/': 'asks outbound',
  'runtime/adapters/load/':
    'asks outbound before it starts its process, which connects to the addresses that were checked',
  'runtime/adapters/containers/':
    'a socket of this machine, and ports of it that its engine has opened; refused where `private` is denied',
  'runtime/adapters/mail/': 'asks outbound',
  'runtime/adapters/modules/without-endless-loop.ts': 'speaks to the main thread of its own process, and opens no port',
  'runtime/adapters/modules/held-to-limit.ts': 'speaks to the main thread of its own process, and opens no port',
  'runtime/adapters/postgres/': 'asks outbound',
  'runtime/adapters/mysql/': 'asks outbound',
  'runtime/adapters/tracing/': 'asks outbound',
  'runtime/adapters/websocket/': 'asks outbound',
  'compiler/engine/worker/socket-transport.ts': 'a socket of this machine, between a run and its worker',
  'runtime/hosts/node/when-needed.ts': 'looks up names for outbound',
  'runtime/servers/': 'listens, and connects to nobody',
  'stdlib/files/backends/drive/sign-in.ts':
    'listens on this machine for the browser of a sign-in, and connects to nobody',
  'stdlib/files/backends/ftp/': 'asks outbound; data goes to the address of the control connection',
  'stdlib/files/backends/sftp/': 'asks outbound',
  'stdlib/files/backends/open-socket.ts': 'connects to what outbound has checked',
  'stdlib/api/clients/grpc/': 'asks outbound for the address where runs are kept out of private networks',
  'stdlib/api/mock/http/': 'listens, and connects to nobody',
  'stdlib/api/mock/websocket/': 'listens, and connects to nobody',
  'stdlib/browser/engines/':
    'talks to drivers and browsers, whose own connections go through browser-proxy where `private` is denied',
};

interface Opening {
  readonly from: string;
  readonly what: string;
}

/** Functions and classes with which a source opens connections. */
function openingsIn(from: string, text: string): readonly Opening[] {
  const found: string[] = [];
  for (const [, names = '', module = ''] of text.matchAll(
    /^(?:import|export)\s+(?!type\b)([^'";]*?)\s*from\s*'([^']+)'/gm,
  )) {
    const used = names
      .replace(/[{}]/g, ' ')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !/^type\b/.test(name) && !harmless.has(name));
    if (used.length > 0) found.push(module);
  }
  for (const [, module = ''] of text.matchAll(
    /(?:(?<!typeof )import|require|getBuiltinModule)\(\s*['"`]([^'"`]+)['"`]\s*\)/g,
  ))
    found.push(module);
  const opened = found.filter((module) =>
    openers.has(
      module.startsWith('node:') ? module : openers.has(`node:${module}`) ? `node:${module}` : packageOf(module),
    ),
  );
  const globals = [
    ...text.matchAll(/(?:\b(?:await|return|void|new)\s+|[=(,:?]\s*)(fetch|WebSocket|EventSource|XMLHttpRequest)\(/g),
  ].map(([, name = '']) => name);
  return [...opened, ...globals].map((what) => ({ from, what }));
}

function packageOf(module: string): string {
  return module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/');
}

const product = /^(?:runtime|stdlib|compiler|grammar|schemas)\/(?!generated\/)/;
const sources = [...new Set(readGraph().map(({ from }) => from))].filter(
  (path) => product.test(path) && !path.endsWith('.d.ts'),
);
const openings = sources.flatMap((path) => openingsIn(path, readFileSync(join(root, path), 'utf8')));
const doorOf = ({ from }: Opening): string | undefined => Object.keys(doors).find((door) => from.startsWith(door));

describe('connections', () => {
  it('are opened by nobody but the doors', () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(openings.filter((opening) => doorOf(opening) === undefined)).toEqual([]);
  });

  it('have no door that opens none', () => {
    const used = new Set(openings.map(doorOf));
    expect(Object.keys(doors).filter((door) => !used.has(door))).toEqual([]);
  });

  it('of adapters are held to the port that decides', () => {
    const asking = Object.keys(doors).filter((door) => doors[door] === 'asks outbound');
    const without = asking.filter(
      (door) => !/^needs: \[.*\boutbound\b/m.test(readFileSync(join(root, door, 'port.yaml'), 'utf8')),
    );
    expect(without).toEqual([]);
    const unasked = asking.filter(
      (door) =>
        !openings.some(({ from }) => from.startsWith(door)) ||
        !sources.some(
          (path) =>
            dirname(path) === door.slice(0, -1) && readFileSync(join(root, path), 'utf8').includes("port('outbound')"),
        ),
    );
    expect(unasked).toEqual([]);
    expect(existsSync(join(root, 'runtime/adapters/outbound/port.yaml'))).toBe(true);
  });
});

describe('the search for connections', () => {
  it.each([
    "import { connect } from 'node:net';",
    "import net from 'node:net';",
    "import * as tls from 'node:tls';",
    "import { isIP, Socket } from 'node:net';",
    "const http = await import('node:http');",
    "const { request } = process.getBuiltinModule('https');",
    "import Agent from 'undici/lib/dispatcher/agent.js';",
    "export { createConnection } from 'node:net';",
    'const answer = await fetch(address);',
    'const socket = new WebSocket(address);',
    "const { default: pg } = await import('pg');",
  ])('finds %s', (text) => {
    expect(openingsIn('runtime/kernel/x.ts', text)).toHaveLength(1);
  });

  it.each([
    "import { isIP } from 'node:net';",
    "import type { Socket } from 'node:net';",
    "type Pg = typeof import('pg');",
    'const value = filling.fetch(key);',
    "import { type LookupFunction } from 'node:net';",
  ])('passes over %s', (text) => {
    expect(openingsIn('runtime/kernel/x.ts', text)).toEqual([]);
  });
});
