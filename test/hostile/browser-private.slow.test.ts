import { createSocket } from 'node:dgram';
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { listen } from '#runtime/adapters/browser-proxy/socks-server.ts';
import { kindOfAddress } from '#runtime/adapters/outbound/address-kind.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import type { Host } from '#schemas/types/host.ts';
import { outboundPrivate } from '#schemas/generated/failures.ts';
import { end as endBrowser, launchBrowser } from '#stdlib/browser/engines/playwright/launch.ts';

import { failureOf, session, type Session } from '../commands/call.ts';
import { describeInChromium, chromium } from '../fixtures/chromium.ts';
import { ownTemporary } from '../fixtures/own-temporary.ts';

/** Requests that reached this machine: requests by path, WebSockets, datagrams. */
const reached: string[] = [];
const server = createServer((request, response) => {
  if (request.url !== '/favicon.ico') reached.push(request.url ?? '');
  if (request.url === '/onward') response.writeHead(302, { location: `http://127.0.0.1:${port}/behind` });
  response.end('<title>inside</title>');
});
server.on('upgrade', (request, socket) => {
  reached.push(`websocket ${request.url}`);
  socket.destroy();
});
const datagrams = createSocket('udp4', () => reached.push('datagram'));
let port = 0;
let udp = 0;
beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  port = (server.address() as AddressInfo).port;
  await new Promise<void>((ready) => datagrams.bind(0, '127.0.0.1', ready));
  udp = datagrams.address().port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  datagrams.close();
});
beforeEach(() => void reached.splice(0));

/** Each way by which a page asks a place: what `reached` then holds. */
const ways: Readonly<Record<string, string>> = {
  '/image': '<img src="AT/image">',
  '/script': '<script src="AT/script"></script>',
  '/frame': '<iframe src="AT/frame"></iframe>',
  '/style': '<link rel="stylesheet" href="AT/style">',
  '/fetch': '<script>fetch("AT/fetch", { mode: "no-cors" }).catch(() => 0)</script>',
  '/beacon': '<script>navigator.sendBeacon("AT/beacon", "x")</script>',
  'websocket /socket': '<script>new WebSocket("AT/socket".replace("http", "ws"))</script>',
  '/name': '<img src="http://localhost:PORT/name">',
  '/numbers': '<img src="http://2130706433:PORT/numbers">',
  '/rebound': '<img src="http://rebinding.example:PORT/rebound">',
  datagram: `<script>
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:UDP' }] });
    peer.createDataChannel('x');
    peer.createOffer().then((offer) => peer.setLocalDescription(offer));
  </script>`,
};
/** Reached only where `rebinding.example` is this machine for the browser itself. */
const control = Object.keys(ways).filter((way) => way !== '/rebound');

const engines = {
  webdriver: {
    start: ['WR_new_driver', { webdriver_name: 'chromium' }],
    open: (unit: Session, url: string) => unit.call('WR_to_url', { url }),
  },
  playwright: {
    start: ['WR_pw_launch', {}],
    open: (unit: Session, url: string) => unit.call('WR_pw_to_url', { url }),
  },
} as const;

const strict: Settings = { gates: { shell: true, script: true, packages: true, private: false } };

/** A name whose first answer is public, while all others lead here; other names are looked up as always. */
function rebinding(): Host['lookup'] {
  const { lookup } = nodeHost();
  let asked = 0;
  return async (name) => {
    if (name !== 'rebinding.example') return lookup(name);
    return asked++ === 0 ? ['93.184.216.34'] : ['127.0.0.1'];
  };
}

describeInChromium('with the gate `private` denied', () => {
  ownTemporary();
  let root = '';
  beforeEach(() => void (root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-hostile-')))));

  describe.for(Object.keys(engines) as (keyof typeof engines)[])('a browser of %s', (name) => {
    const { start, open } = engines[name];
    const started = async (gates: Settings['gates']): Promise<Session> => {
      const unit = await session({
        root,
        settings: { ...chromium.pages, gates },
        host: { ...nodeHost(), lookup: rebinding() },
      });
      await unit.call(start[0], start[1]);
      return unit;
    };
    const page = (): string => {
      const text = Object.values(ways)
        .join('\n')
        .replaceAll('AT', `http://127.0.0.1:${port}`)
        .replaceAll('PORT', String(port))
        .replaceAll('UDP', String(udp));
      const path = join(root, 'page.html');
      writeFileSync(path, text);
      return pathToFileURL(path).href;
    };

    test('asks no place of this machine, by whatever a page asks', async () => {
      await using unit = await started(strict.gates);
      await open(unit, page());
      await sleep(2500);
      expect(reached).toEqual([]);
    });

    test('asks all of them where nothing was said of the gate', async () => {
      await using unit = await started({ shell: true, script: true, packages: true });
      await open(unit, page());
      await expect.poll(() => control.filter((way) => !reached.includes(way)), { timeout: 8000 }).toEqual([]);
    });

    test.for(['http://127.0.0.1:PORT/', 'http://localhost:PORT/', 'http://[::1]:PORT/', 'http://10.0.0.1/'])(
      'does not open %s, and says why',
      async (url) => {
        await using unit = await started(strict.gates);
        const { facts } = await failureOf(open(unit, url.replace('PORT', String(port))));
        expect(facts.code).toBe('SVC88000');
        expect(reached).toEqual([]);
      },
    );
  });

  test('a page that may be asked leads nowhere else, by a redirect or another context', async () => {
    const refused: string[] = [];
    const proxy = await listen(
      async (host) => {
        const address = host === 'shop.example' ? '93.184.216.34' : host;
        if (kindOfAddress(address).kind === 'public') return [address];
        refused.push(host);
        throw outboundPrivate({ host, address, what: 'private' });
      },
      // The public address of the shop is played by this machine.
      (_address, to) => connect(to, '127.0.0.1'),
    );
    const around = { host: nodeHost(), settings: { ...chromium.pages, ...strict }, notice: () => {} };
    const wanted = {
      browser: 'chromium',
      headless: true,
      archive: undefined,
      profile: undefined,
      options: {},
    } as const;
    const launched = await launchBrowser(wanted, around, new AbortController().signal, proxy);
    try {
      const page = await launched.context.newPage();
      await page.goto(`http://shop.example:${port}/shop`);
      expect(await page.title()).toBe('inside');
      await expect(page.goto(`http://shop.example:${port}/onward`)).rejects.toThrow(/ERR_SOCKS_CONNECTION_FAILED/);
      expect(reached).toEqual(['/shop', '/onward']);
      // Browsers ask for things of their own, too.
      expect(refused).toContain('127.0.0.1');
      expect(proxy.takeRefusal()?.facts.code).toBe('SVC88000');
      for (const server of [`http://127.0.0.1:${port}`, 'direct://', `socks5://localhost:${port}`]) {
        const other = await launched.browser?.newContext({ proxy: { server } });
        const second = await other?.newPage();
        await expect(second?.goto(`http://127.0.0.1:${port}/other`)).rejects.toThrow(/net::ERR_/);
      }
      expect(reached).toEqual(['/shop', '/onward']);
    } finally {
      await endBrowser(launched, 4000);
      await proxy.close();
    }
  });
});
