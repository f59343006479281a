/**
 * Run in a network and file system of its own, in which 93.184.216.34 is this machine: a public server there, a private
 * one at
 * 127.0.0.1 on the same port, and a name server that can be told to answer differently. Says as JSON what became of
 * downloads.
 */
import { spawn } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { createServer, type Server } from 'node:http';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Failure } from '#schemas/types/failure.ts';

import { session } from '../../session.ts';

const root = process.argv[2] ?? '';
const publicAddress = '93.184.216.34';
const port = 8080;

const hosts = join(root, 'hosts');
writeFileSync(hosts, '127.0.0.1 ready.test\n');
const names = spawn(
  'dnsmasq',
  [
    '--no-daemon',
    '--no-resolv',
    '--no-hosts',
    `--addn-hosts=${hosts}`,
    '--listen-address=127.0.0.1',
    '--bind-interfaces',
    '--local-ttl=0',
    '--cache-size=0',
  ],
  { stdio: 'ignore' },
);

/** Asks until the name server answers with just these. */
async function answered(name: string, addresses: readonly string[], nudge: () => void): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    nudge();
    const found = await lookup(name, { all: true }).catch(() => []);
    if (
      found
        .map(({ address }) => address)
        .sort()
        .join() === [...addresses].sort().join()
    )
      return;
    await new Promise((next) => setTimeout(next, 50));
  }
  throw new Error(`the name server does not answer with ${addresses.join()}`);
}

// Before it answers for the first time the signal would end it.
await answered('ready.test', ['127.0.0.1'], () => undefined);

/** From now on the name leads to these addresses. */
function leads(name: string, ...addresses: readonly string[]): Promise<void> {
  writeFileSync(hosts, addresses.map((address) => `${address} ${name}\n`).join(''));
  return answered(name, addresses, () => names.kill('SIGHUP'));
}

const hits = { public: 0, private: 0 };
async function serve(
  address: string,
  answer: (path: string) => Promise<{ readonly location?: string; readonly body: string }>,
): Promise<Server> {
  const server = createServer((request, response) => {
    void answer(request.url ?? '').then(({ location, body }) =>
      response.writeHead(location === undefined ? 200 : 302, location === undefined ? {} : { location }).end(body),
    );
  });
  await new Promise<void>((ready) => server.listen(port, address, ready));
  return server;
}
const secret = await serve('127.0.0.1', async () => (hits.private++, { body: 'secret' }));
const open = await serve(publicAddress, async (path) => {
  hits.public++;
  if (path !== '/flip') return { body: 'public' };
  await leads('rebinding.test', '127.0.0.1');
  return { location: `http://rebinding.test:${port}/secret`, body: '' };
});

await using unit = await session();
async function download(url: string, params: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const target = join(root, 'file');
  try {
    await unit.call('FA_download_file', { url, target, ...params });
    return readFileSync(target, 'utf8');
  } catch (error) {
    if (error instanceof Failure) return `${error.facts.code}${existsSync(target) ? ' with a file' : ''}`;
    throw error;
  }
}

const said: Record<string, unknown> = {};
await leads('rebinding.test', '127.0.0.1');
said['private'] = await download(`http://rebinding.test:${port}/`);
await leads('rebinding.test', publicAddress, '127.0.0.1');
said['both'] = await download(`http://rebinding.test:${port}/`);
await leads('rebinding.test', publicAddress, '::1');
said['both families'] = await download(`http://rebinding.test:${port}/`);
await leads('rebinding.test', publicAddress);
said['flip'] = await download(`http://rebinding.test:${port}/flip`, { follow_redirects: true });
await leads('rebinding.test', publicAddress);
said['public'] = await download(`http://rebinding.test:${port}/`);
said['unknown'] = await download(`http://unknown.test:${port}/`, { total_timeout: 0.4 });

console.log(JSON.stringify({ said, hits }));
names.kill();
for (const server of [secret, open]) server.close();
