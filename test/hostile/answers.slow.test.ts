import { readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import type { RunRecord } from '#schemas/types/record.ts';

import { startHttp, startRaw } from '../commands/api/servers.ts';
import { built } from '../built.ts';
import { bytesOf, type Content } from './content.ts';
import { contained } from './row-case.ts';
import { svcWithin } from './within-limits.ts';
import { openWorld } from './world.ts';

interface Answer {
  readonly bytes?: Content;
  readonly packed?: { readonly zeros: number; readonly by: 'gzip' | 'br' };
  readonly then?: 'end' | 'hang' | 'drip' | 'flood' | 'reset';
  readonly drip?: string;
  readonly passes?: boolean;
}

const answers = Object.entries(
  parse(readFileSync(join(import.meta.dirname, 'answers.yaml'), 'utf8')) as Readonly<Record<string, Answer>>,
);

beforeAll(() => built(), 300_000);

it('there are at least 37 answers', () => {
  expect(answers.length).toBeGreaterThanOrEqual(37);
});

function bytesOfAnswer({ bytes = '', packed }: Answer): Buffer {
  if (packed === undefined) return bytesOf(bytes);
  const zeros = Buffer.alloc(2 ** 26);
  // Members one after another unpack to one text; brotli has no such thing, and packs the whole far smaller.
  const body =
    packed.by === 'gzip'
      ? Buffer.concat(Array.from({ length: packed.zeros / zeros.length }, () => gzipSync(zeros)))
      : brotliCompressSync(Buffer.alloc(packed.zeros));
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: ${packed.by}\r\ncontent-length: ${body.length}\r\n\r\n`),
    body,
  ]);
}

function speak(socket: Socket, answer: Answer, bytes: Buffer): void {
  socket.write(bytes);
  const again = (text: string, ms: number): void => {
    const clock = setInterval(() => socket.write(text), ms);
    socket.on('close', () => clearInterval(clock));
  };
  switch (answer.then ?? 'end') {
    case 'end':
      return void socket.end();
    case 'hang':
      return;
    case 'drip':
      return again(answer.drip ?? '', 20);
    case 'flood':
      return again('x'.repeat(2 ** 20), 1);
    case 'reset':
      return void setTimeout(() => socket.resetAndDestroy(), 50);
  }
}

const steps: Readonly<Record<string, (url: string, index: number) => unknown>> = {
  AT_test_api_method: (url, index) => ({
    AT_test_api_method: { http_method: 'get', test_url: url, timeout: 3, allow_redirects: true },
    timeout_s: 5,
    name: `n${index}`,
  }),
  FA_download_file: (url, index) => ({
    FA_download_file: { url, target: `d${index}`, timeout: 3, max_bytes: 10_000_000 },
    timeout_s: 5,
    name: `n${index}`,
  }),
};

describe.runIf(process.platform === 'linux')(
  'answers that mean harm fail a step in time, within limits of the system',
  () => {
    it.each(Object.keys(steps))(
      '%s',
      async (command) => {
        const world = openWorld();
        const servers = await Promise.all(
          answers.map(async ([, answer]) => {
            const bytes = bytesOfAnswer(answer);
            return startRaw((socket) => {
              socket.on('error', () => {});
              socket.once('data', () => speak(socket, answer, bytes));
            });
          }),
        );
        try {
          writeFileSync(
            join(world.box, 'a.json'),
            JSON.stringify({
              nodes: servers.map(({ url }, index) => ({ id: `n${index}`, action: steps[command]?.(`${url}/`, index) })),
              meta: { max_workers: 6, fail_fast: false },
            }),
          );
          const { exit, stdout, stderr } = await svcWithin(
            world,
            ['run', '--allow', 'private', '-v', '--record', 'records.jsonl', 'a.json'],
            { seconds: 60, mib: 2048, trace: false },
          );
          expect([...contained(stdout), ...contained(stderr)]).toEqual([]);
          expect(exit, stdout.slice(0, 2_000) + stderr.slice(0, 2_000)).toBe(1);
          const records = readFileSync(join(world.box, 'records.jsonl'), 'utf8')
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as RunRecord);
          const problems = answers.flatMap(([what, { passes = false }], index) => {
            const record = records.find(({ id }) => id === `a.json#n${index}`);
            if (record === undefined) return [`${what}: no record`];
            if (record.duration_ms > 20_000) return [`${what}: took ${record.duration_ms} ms`];
            if (
              record.error?.message &&
              /\b(?:TypeError|ECONN|undefined is not|Cannot read)\b/.test(record.error.message)
            )
              return [`${what}: ${record.error.message}`];
            return passes === (record.status === 'passed')
              ? []
              : [`${what}: ${record.status} ${record.error?.message ?? ''}`];
          });
          expect(problems).toEqual([]);
        } finally {
          for (const server of servers) await server[Symbol.asyncDispose]();
          world.close();
        }
      },
      240_000,
    );
  },
);

const tokens = [
  'Authorization',
  'Cookie',
  'Proxy-Authorization',
  'X-Auth-Token',
  'Private-Token',
  'X-Vault-Token',
  'Api-Key',
  'X-Api-Key',
  'X-Access-Token',
  'X-Amz-Security-Token',
  'X-CSRF-Token',
  'JOB-TOKEN',
  'PRIVATE-TOKEN',
  'X-Goog-Api-Key',
  'Ocp-Apim-Subscription-Key',
  'X-Shopify-Access-Token',
  'DD-API-KEY',
  'X-Anything-Else',
];

describe('headers that name somebody', () => {
  it.each([301, 302, 303, 307, 308])(
    'stay behind when an answer %d leads to another origin',
    async (status) => {
      const seen: string[][] = [];
      await using other = await startHttp((request, response) => {
        seen.push(Object.keys(request.headers));
        response.end('ok');
      });
      await using first = await startHttp((_request, response) => {
        response.writeHead(status, { location: `${other.url}/` }).end();
      });
      const world = openWorld();
      try {
        const headers = Object.fromEntries(tokens.map((name) => [name, 'of-the-first-origin']));
        writeFileSync(
          join(world.box, 'a.json'),
          JSON.stringify({
            actions: [
              ['AT_test_api_method', { http_method: 'get', test_url: `${first.url}/`, allow_redirects: true, headers }],
              [
                'AT_test_api_method',
                { http_method: 'post', test_url: `${first.url}/`, allow_redirects: true, headers, data: 'x' },
              ],
            ],
          }),
        );
        const { exit, stderr, stdout } = await svcWithin(world, ['run', '--allow', 'private', 'a.json'], {
          trace: false,
        });
        expect(exit, stdout + stderr).toBe(0);
        expect(seen.length).toBe(2);
        const lower = new Set(tokens.map((name) => name.toLowerCase()));
        expect(seen.flat().filter((name) => lower.has(name))).toEqual([]);
      } finally {
        world.close();
      }
    },
    60_000,
  );
});
