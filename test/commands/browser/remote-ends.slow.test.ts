import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { failureOf, session } from '../call.ts';
import { world as hubWorld } from '../worlds/browser-hub.ts';
import type { World } from '../worlds/world.ts';

const KEY = 'grid key/0001';
const LOGIN = `Basic ${Buffer.from(`ada:${KEY}`).toString('base64')}`;

describeInChromium('remote ends', () => {
  let hub: World;
  let gate: Server;
  let url = '';
  /** Method and path of each request, and what sessions were asked for. */
  const asked: string[] = [];
  const wanted: unknown[] = [];
  beforeAll(async () => {
    hub = await hubWorld({ root: '' });
    const target = new URL(hub.env?.['HUB_URL'] ?? '');
    gate = createServer((message, response) => {
      asked.push(`${message.method ?? ''} ${message.url ?? ''}`);
      if (message.headers.authorization !== LOGIN)
        return void response.writeHead(401).end('{"value":{"error":"unauthorized"}}');
      const { authorization: _login, host: _host, ...headers } = message.headers;
      const path = (message.url ?? '').replace(/^\/wd\/hub/, '');
      const onward = request(
        { host: target.hostname, port: target.port, method: message.method, path, headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        },
      );
      onward.once('error', () => response.destroy());
      const parts: Buffer[] = [];
      message
        .on('data', (part: Buffer) => parts.push(part))
        .once('end', () => {
          const body = Buffer.concat(parts);
          if (path === '/session') wanted.push(JSON.parse(body.toString()));
          onward.end(body);
        });
    });
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}/wd/hub`;
  });
  afterAll(async () => {
    gate.closeAllConnections();
    await new Promise((resolve) => gate.close(resolve));
    await hub[Symbol.asyncDispose]();
  });
  const capabilities = {
    browserName: 'chrome',
    'goog:chromeOptions': { binary: chromium.browser, args: ['--headless=new', '--no-sandbox'] },
  };

  test.each(['1', '2', '3'])(
    'a session of grid %s opens with user and key, and is closed with the file',
    async (number) => {
      const unit = await session({ settings: { ...chromium.settings, gates: { shell: true, private: true } } });
      const ref = await unit.call(`WR_connect_cloudgrid${number}`, {
        username: 'ada',
        access_key: KEY,
        hub_url: url,
        capabilities,
      });
      await unit.call('WR_to_url', { url: 'data:text/html,<title>grid</title>' });
      expect(await unit.call('WR_execute_script', { script: 'return document.title' })).toBe('grid');
      expect(JSON.stringify([ref, unit.records])).not.toMatch(/grid key|grid%20key/);
      await unit.end();
      expect(asked.findLast((each) => each.startsWith('DELETE'))).toMatch(/^DELETE \/wd\/hub\/session\/\w+$/);
    },
  );

  test('finding an element and acting on it are a call each; what lies between them costs one more look', async () => {
    await using unit = await session({ settings: { ...chromium.settings, gates: { shell: true, private: true } } });
    await unit.call('WR_connect_cloudgrid1', { username: 'ada', access_key: KEY, hub_url: url, capabilities });
    await unit.call('WR_to_url', { url: 'data:text/html,<button id=a name=b class=c>Go</button>' });
    const objects = [
      ['id', 'a'],
      ['name', 'b'],
      ['class_name', 'c'],
      ['tag_name', 'button'],
      ['xpath', '//button'],
      ['css_selector', '#a'],
    ] as const;
    for (const [object_type, locator] of objects)
      await unit.call('WR_save_test_object', { test_object_name: object_type, object_type, locator });
    /** Ends of the addresses that were asked meanwhile. */
    const during = async (...names: readonly Parameters<typeof unit.call>[]): Promise<readonly string[]> => {
      const before = asked.length;
      for (const [name, args] of names) await unit.call(name, args);
      return asked.slice(before).map((each) => each.replace(/^.*\//, ''));
    };
    for (const [element_name] of objects) {
      const find = ['WR_find_recorded_element', { element_name }] as const;
      const tries: (readonly string[])[] = [];
      // On a busy machine a step may come so late that the element is looked at again.
      do tries.push(await during([...find], ['WR_element_click']));
      while (tries.at(-1)?.length !== 2 && tries.length < 20);
      expect(tries.at(-1)).toEqual(['sync', 'click']);
      const apart = await during([...find], ['WR_element_is_enabled'], ['WR_element_click']);
      expect(apart).toEqual(['sync', 'enabled', 'sync', 'click']);
    }
  });

  test('a wrong key is refused in words without it, and what was asked for by default is exact', async () => {
    await using unit = await session({ settings: { ...chromium.settings, gates: { shell: true, private: true } } });
    const { message } = await failureOf(
      unit.call('WR_connect_cloudgrid1', { username: 'ada', access_key: 'other-key-77', hub_url: url, capabilities }),
    );
    expect(message).not.toContain('other-key-77');
    await failureOf(unit.call('WR_connect_cloudgrid2', { username: 'ada', access_key: KEY, hub_url: url }));
    expect(wanted.at(-1)).toMatchObject({
      capabilities: {
        alwaysMatch: {
          browserName: 'chrome',
          browserVersion: 'latest',
          platformName: 'Windows 11',
          'sauce:options': {},
        },
      },
    });
  });

  test('hub and name of the options are those of the configuration, where it has some', async () => {
    const grids = { cloudgrid2: { hub: url, options: 'own:options' }, cloudgrid3: { options: 'other:options' } };
    const settings = { ...chromium.settings, gates: { shell: true, private: true }, cloud_grids: grids };
    await using unit = await session({ settings });
    const before = wanted.length;
    await failureOf(unit.call('WR_connect_cloudgrid2', { username: 'ada', access_key: KEY }));
    expect(wanted.slice(before)).toMatchObject([{ capabilities: { alwaysMatch: { 'own:options': {} } } }]);
    expect(await unit.call('WR_cloudgrid3_capabilities')).toHaveProperty('other:options', {});
    expect(await unit.call('WR_cloudgrid1_capabilities')).toHaveProperty('bstack:options');
  });

  test.each(['limits.browser_start_ms', 'timeout_s'])(
    'a session that comes when %s is over is closed with the file',
    async (limit) => {
      const said: string[] = [];
      const server = createServer((message, response) => {
        said.push(`${message.method ?? ''} ${message.url ?? ''}`);
        const value = message.method === 'POST' ? { sessionId: 'late', capabilities: {} } : null;
        setTimeout(
          () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ value })),
          600,
        );
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const server_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const isOfStep = limit === 'timeout_s';
      const unit = await session({
        settings: { gates: { shell: true, private: true }, limits: { browser_start_ms: isOfStep ? 9000 : 200 } },
      });
      const params = { server_url, capabilities: { platformName: 'Android' } };
      const { status } = await unit.step('WR_mobile_start', params, isOfStep ? { timeout_s: 0.2 } : {});
      expect(status).not.toBe('passed');
      await unit.end();
      expect(said).toEqual(['POST /session', 'DELETE /session/late']);
      await new Promise((resolve) => server.close(resolve));
    },
  );

  test('a mobile session serves ordinary commands; quitting leaves others alone', async () => {
    const server = createServer((message, response) => {
      const say = (value: unknown): void =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ value }));
      if (message.method === 'POST' && message.url === '/session')
        return say({ sessionId: 'phone', capabilities: { platformName: 'Android', 'appium:deviceName': 'Pixel' } });
      say(message.url?.endsWith('/execute/sync') ? 'on a phone' : null);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const server_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await using unit = await session({ settings: { ...chromium.settings, gates: { shell: true, private: true } } });
    await unit.call('WR_mobile_quit');
    const caps = await unit.call('WR_mobile_android_caps', { app: 'shop.apk' });
    await unit.call('WR_mobile_start', { server_url, capabilities: caps });
    expect(await unit.call('WR_execute_script', { script: 'return document.title' })).toBe('on a phone');
    await unit.call('WR_mobile_quit');
    await unit.call('WR_new_driver', { webdriver_name: 'chromium' });
    expect((await failureOf(unit.call('WR_mobile_quit'))).facts.code).toBe('SVC82096');
    const login = { server_url: 'http://ann:half%@127.0.0.1:1', capabilities: caps };
    expect((await failureOf(unit.call('WR_mobile_start', login))).facts.code).toBe('SVC81013');
    await new Promise((resolve) => server.close(resolve));
  });
});
