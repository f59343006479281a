import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { describe, expect, it, beforeAll } from 'vitest';
import { parse } from 'yaml';

import type { RunRecord } from '#schemas/types/record.ts';

import { built } from '../built.ts';
import { contained } from './row-case.ts';
import { svcWithin } from './within-limits.ts';
import { openWorld } from './world.ts';

const forms = parse(readFileSync(join(import.meta.dirname, 'addresses.yaml'), 'utf8')) as Readonly<
  Record<string, readonly string[]>
>;
const addresses = Object.values(forms).flat();

beforeAll(() => built(), 300_000);

it('there are at least 42 forms, no two alike', () => {
  expect(addresses.length).toBeGreaterThanOrEqual(42);
  expect(new Set(addresses).size).toBe(addresses.length);
});

/** Steps that ask an address, by command. */
const asks: Readonly<Record<string, (url: string) => unknown>> = {
  AT_test_api_method: (url) => ['AT_test_api_method', { http_method: 'get', test_url: url, timeout: 2 }],
  AT_test_api_method_httpx: (url) => ['AT_test_api_method_httpx', { http_method: 'get', test_url: url, timeout: 2 }],
  FA_download_file: (url) => ['FA_download_file', { url, target: 'downloaded', timeout: 2 }],
  FA_notify_register: (url) => ['FA_notify_register', { type: 'webhook', options: { url } }],
};

describe.runIf(process.platform === 'linux')('with closed gates no form of an address is connected to', () => {
  it.each(Object.keys(asks))(
    '%s',
    async (command) => {
      const world = openWorld();
      const calls: string[] = [];
      const server = createServer((socket) => {
        calls.push(String(socket.remoteAddress));
        socket.destroy();
      }).listen(0, '::');
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as AddressInfo;
      try {
        const steps = addresses.map((address) => asks[command]?.(address.replaceAll('<port>', String(port))));
        // Values that no one checks before the run: each comes from a variable.
        const actions = steps.flatMap((step, index) => {
          const [name, parameters] = step as readonly [string, Readonly<Record<string, unknown>>];
          const [key, value] = Object.entries(parameters).find(
            ([, each]) => typeof each === 'string' && each.includes(':'),
          ) ?? ['options', addresses[index]?.replaceAll('<port>', String(port))];
          return [
            ['AT_set_variable', { name: 'address', value }],
            [name, { ...parameters, [key]: key === 'options' ? { url: '{{address}}' } : '{{address}}' }],
          ];
        });
        writeFileSync(
          join(world.box, 'a.json'),
          JSON.stringify({
            meta: { on_failure: 'continue' },
            actions:
              command === 'FA_notify_register'
                ? [...actions, ['FA_notify_send', { subject: 'x', body: 'y' }]]
                : actions,
          }),
        );
        const { exit, stdout, stderr, trace } = await svcWithin(
          world,
          ['run', '--deny', 'private', '--record', 'records.jsonl', 'a.json'],
          { seconds: 60 },
        );
        expect([...contained(stdout), ...contained(stderr)]).toEqual([]);
        expect(exit, stdout + stderr).toBe(1);
        const records = readFileSync(join(world.box, 'records.jsonl'), 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as RunRecord);
        const passed = records
          .filter((record) => record.command === command && record.status === 'passed')
          .map((record) => JSON.stringify(record.id));
        // A sink may be registered with any address: it is asked when something is sent.
        if (command !== 'FA_notify_register') expect(passed).toEqual([]);
        else expect(records.find((record) => record.command === 'FA_notify_send')?.status).toBe('failed');
        expect(calls).toEqual([]);
        // Names are looked up, which may ask a service of the system or a name server.
        expect(
          trace.addresses.filter((address) => !/AF_UNIX|AF_NETLINK|sin6?_port=htons\((?:53|0)\)/.test(address)),
        ).toEqual([]);
        expect(trace.programs).toEqual([]);
      } finally {
        server.close();
        world.close();
      }
    },
    180_000,
  );
});
