import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client, credentials, Metadata, Server, ServerCredentials, type sendUnaryData } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Json } from '#schemas/types/json.ts';

import { failureOf, session } from '../../call.ts';
import type { Session } from '../../call.ts';

const methods = {
  '/shop.Goods/Find': { response: { id: 5 } },
  '/shop.Goods/Raw': { response_base64: '//4=' },
  '/shop.Goods/Watch': { stream: [{ id: 5 }, 'é'] },
  '/shop.Goods/Half': { stream: ['one'], error: { code: 'data_loss', details: 'gone' } },
  '/shop.Goods/Chat': { each: 'you said {{message}}' },
  '/shop.Goods/Echo': { each: '{{message}}' },
  '/shop.Goods/Drop': { error: { code: 'PERMISSION_DENIED', details: 'not yours' } },
  '/shop.Goods/Slow': { response: 'late', delay_ms: 60_000 },
};

let folder = '';
let unit: Session;
let target = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-grpc-'));
  unit = await session({ root: folder });
  target = (await unit.call('AT_mock_start_grpc_server', { methods, port: 0 })) as string;
});
afterAll(async () => {
  await unit.end();
  rmSync(folder, { recursive: true });
});

async function ask(name: string, more: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  return (await unit.call('AT_test_api_method_grpc', {
    address: target,
    method: `/shop.Goods/${name}`,
    ...more,
  })) as Record<string, unknown>;
}

describe('calls of all four kinds', () => {
  test('one message each way, as a plain client makes it', async () => {
    const client = new Client(target, credentials.createInsecure());
    const same = (bytes: Buffer): Buffer => bytes;
    const answer = await new Promise<Buffer | undefined>((resolve, reject) => {
      client.makeUnaryRequest('/shop.Goods/Find', same, same, Buffer.from('tea'), (error, reply) =>
        error ? reject(error) : resolve(reply),
      );
    });
    client.close();
    expect(answer?.toString()).toBe('{"id":5}');
    expect(await unit.call('AT_mock_grpc_received', { method_path: '/shop.Goods/Find' })).toContain('tea');
  });

  test.each([
    ['Find', [{ name: 'tea' }], ['{"id":5}']],
    ['Find', ['a', 'b'], ['{"id":5}']],
    ['Raw', ['x'], ['data:;base64,//4=']],
    ['Watch', ['x'], ['{"id":5}', 'é']],
    ['Chat', ['a', 'b'], ['you said a', 'you said b']],
    ['Echo', [], []],
  ])('%s with %j', async (name, messages, replies) => {
    expect(await ask(name, { messages })).toMatchObject({ code: 'OK', messages: replies });
  });

  test('a client that waits for each reply before it goes on', async () => {
    const client = new Client(target, credentials.createInsecure());
    const same = (bytes: Buffer): Buffer => bytes;
    const stream = client.makeBidiStreamRequest('/shop.Goods/Echo', same, same);
    const got: string[] = [];
    await new Promise<void>((resolve, reject) => {
      stream.on('error', reject);
      stream.on('data', (bytes: Buffer) => {
        got.push(bytes.toString());
        if (got.length < 3) stream.write(Buffer.from(`${got.length}`));
        else stream.end();
      });
      stream.on('end', resolve);
      stream.write(Buffer.from('0'));
    });
    client.close();
    expect(got).toEqual(['0', '1', '2']);
  });
});

test('metadata are texts, those of bytes in base64, and a message may be large', async () => {
  const server = new Server();
  const same = (bytes: Buffer): Buffer => bytes;
  const method = { requestStream: false, responseStream: false, requestSerialize: same, requestDeserialize: same };
  server.addService(
    { Get: { ...method, path: '/shop.Raw/Get', responseSerialize: same, responseDeserialize: same } },
    {
      Get: (_: unknown, reply: sendUnaryData<Buffer>) => {
        const trailers = new Metadata();
        trailers.set('x-seen', 'yes');
        trailers.add('x-id-bin', Buffer.from([0, 255]));
        trailers.add('x-id-bin', Buffer.from([1]));
        reply(null, Buffer.alloc(5_000_000, 'tea'), trailers);
      },
    },
  );
  try {
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    const params = { address: `127.0.0.1:${port}`, method: '/shop.Raw/Get', messages: ['x'] };
    expect(await unit.call('AT_test_api_method_grpc', params)).toMatchObject({
      messages: [expect.stringMatching(/^(?:tea)+te$/)],
      trailers: { 'x-seen': 'yes', 'x-id-bin': 'AP8=, AQ==' },
    });
    for (const metadata of [{ 'x-name': 'ü' }, { 'x-id-bin': '##' }])
      expect((await failureOf(unit.call('AT_test_api_method_grpc', { ...params, metadata }))).facts.code).toBe(
        'SVC83028',
      );
  } finally {
    server.forceShutdown();
  }
});

describe('the end of a call', () => {
  test('is a failure unless its code was expected; what came before is the result', async () => {
    const failure = await failureOf(ask('Half'));
    expect([failure.facts.code, failure.message]).toEqual([
      'SVC83310',
      `/shop.Goods/Half at ${target} ended with DATA_LOSS where OK was expected: gone`,
    ]);
    expect(failure.options.result).toMatchObject({ messages: ['one'] });
    expect(await ask('Drop', { expected_code: 'permission_denied' })).toMatchObject({ details: 'not yours' });
    expect(await ask('Drop', { expected_code: null })).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect((await failureOf(ask('Other'))).message).toContain('UNIMPLEMENTED');
  });

  test('comes with the deadline, and where nobody listens', async () => {
    expect((await failureOf(ask('Slow', { timeout: 0.1 }))).facts).toMatchObject({
      code: 'SVC83312',
      kinds: ['timeout'],
    });
    const nobody = await failureOf(unit.call('AT_test_api_method_grpc', { address: '127.0.0.1:1', method: '/a/b' }));
    expect(nobody.facts).toMatchObject({ code: 'SVC83311', kinds: ['network'] });
  });
});

describe('descriptors', () => {
  const proto = `syntax = "proto3"; package shop;
    message Ask { string name = 1; int64 count = 2; }
    message Goods { int64 id = 1; repeated string tags = 2; Kind kind = 3; }
    enum Kind { DRY = 0; WET = 1; }
    service Goods2 { rpc Echo(Ask) returns (Ask); rpc Find(Ask) returns (Goods); }`;
  const path = (): string => join(folder, 'shop.proto');

  test('turn objects into messages and back', async () => {
    writeFileSync(path(), proto.replace('service Goods2', 'service Store'));
    await using other = await session({ root: folder });
    const bytes = Buffer.from([8, 7, 18, 1, 97, 18, 1, 98, 24, 1]).toString('base64');
    const at = await other.call('AT_mock_start_grpc_server', {
      methods: { '/shop.Store/Echo': { each: '{{message}}' }, '/shop.Store/Find': { response_base64: bytes } },
      port: 0,
    });
    const call = { address: at, descriptors: path() };
    expect(
      await other.call('AT_test_api_method_grpc', {
        ...call,
        method: '/shop.Store/Echo',
        messages: [{ name: 'tea', count: '9007199254740993' }],
      }),
    ).toMatchObject({ messages: [{ name: 'tea', count: '9007199254740993' }] });
    expect(
      await other.call('AT_test_api_method_grpc', { ...call, method: '/shop.Store/Find', messages: [{}] }),
    ).toMatchObject({ messages: [{ id: '7', tags: ['a', 'b'], kind: 'WET' }] });
    const received = { method_path: '/shop.Store/Echo', as: 'base64' };
    expect(await other.call('AT_mock_grpc_received', received)).toEqual([
      Buffer.from([10, 3, 116, 101, 97, 16, 129, 128, 128, 128, 128, 128, 128, 16]).toString('base64'),
    ]);
    const misspelt = { ...call, method: '/shop.Store/Echo', messages: [{ nmae: 'tea' }] };
    expect((await failureOf(other.call('AT_test_api_method_grpc', misspelt))).message).toContain(
      'a message has no field "nmae"',
    );
    const unknown = { ...call, method: '/shop.Store/Lose', messages: [] };
    expect((await failureOf(other.call('AT_test_api_method_grpc', unknown))).message).toContain(
      '/shop.Store/Echo, /shop.Store/Find',
    );
  });

  test('hold messages to their types at any depth: nothing is left out or changed without a word', async () => {
    const deep = join(folder, 'deep.proto');
    writeFileSync(
      deep,
      `syntax = "proto3"; package deep;
       message Item { int32 n = 1; float f = 2; bytes raw = 3; } enum Kind { DRY = 0; WET = 1; }
       message Ask { Item item = 1; repeated Item items = 2; map<string, int64> by = 3; Kind kind = 4; bool ok = 5; double d = 6; uint32 u = 7;
         repeated int32 ns = 8; }
       service Store { rpc Echo(Ask) returns (Ask); }`,
    );
    await using other = await session({ root: folder });
    const address = await other.call('AT_mock_start_grpc_server', {
      methods: { '/deep.Store/Echo': { each: '{{message}}' } },
      port: 0,
    });
    const echo = (message: Json, more: object = {}): Promise<unknown> =>
      other.call('AT_test_api_method_grpc', {
        address,
        descriptors: deep,
        method: '/deep.Store/Echo',
        messages: [message],
        ...more,
      });
    const fine = { item: { n: -1, f: 0.1, raw: '/w==' }, by: { a: 5 }, kind: 1, ok: true, d: 0.1, items: [{ n: '7' }] };
    expect(await echo(fine, { metadata: { 'x-id-bin': 'AP8=' } })).toMatchObject({
      messages: [{ item: { n: -1, raw: '/w==' }, by: { a: '5' }, kind: 'WET', ok: true, d: 0.1, items: [{ n: 7 }] }],
    });
    for (const [message, reason] of [
      [{ item: { m: 1 } }, 'a message has no field "item.m"'],
      [{ items: [{ n: 1 }, { n: 'abc' }] }, 'the field "items.1.n" does not take "abc"'],
      [{ kind: 'DAMP' }, 'the field "kind" does not take "DAMP"'],
      [{ ok: 'false' }, 'the field "ok" does not take "false"'],
      [{ u: -1 }, 'the field "u" does not take -1'],
      [{ by: { a: 1.5 } }, 'the field "by.a" does not take 1.5'],
      [{ by: [1] }, 'the field "by" does not take a list'],
      [{ ns: [1, null] }, 'the field "ns.1" does not take null'],
      [{ item: { raw: [300, 'x'] } }, 'the field "item.raw" does not take [300,"x"]'],
      [{ item: { f: 1e39 } }, 'the field "item.f" does not take 1e+39'],
    ] as const)
      expect((await failureOf(echo(message as unknown as Json))).message).toContain(reason);
  });

  test('numbers that JSON does not have are texts, and keys of maps are as they are written', async () => {
    const file = join(folder, 'keys.proto');
    writeFileSync(
      file,
      `syntax = "proto3"; package keys;
       message Ask { map<int64, string> signed = 1; map<fixed64, Ask> unsigned = 2; map<string, int32> plain = 3;
         repeated Inner list = 4; message Inner { map<sint64, bytes> m = 1; } double d = 5; float f = 6; }
       service Store { rpc Echo(Ask) returns (Ask); }`,
    );
    await using other = await session({ root: folder });
    const address = await other.call('AT_mock_start_grpc_server', {
      methods: { '/keys.Store/Echo': { each: '{{message}}' } },
      port: 0,
    });
    const message = {
      signed: { '-1': 'less', '5': 'five', '-9223372036854775808': 'least' },
      unsigned: { '18446744073709551615': { signed: { '7': 'seven' } } },
      plain: { abcdefgh: 1 },
      list: [{ m: { '-2': 'AP8=' } }],
      d: 'NaN',
      f: '-Infinity',
    };
    const call = { address, descriptors: file, method: '/keys.Store/Echo' };
    expect(await other.call('AT_test_api_method_grpc', { ...call, messages: [message] })).toMatchObject({
      messages: [message],
    });
    const wrong = { ...call, messages: [{ signed: { abc: 'x' } }] };
    expect((await failureOf(other.call('AT_test_api_method_grpc', wrong))).message).toContain(
      'a message has no field "signed.abc"',
    );
  });

  test('import files by their names from a folder above', async () => {
    const root = join(folder, 'protos');
    mkdirSync(join(root, 'shop/v1'), { recursive: true });
    writeFileSync(
      join(root, 'shop/v1/store.proto'),
      `syntax = "proto3"; package shop.v1; import "shop/v1/types.proto"; service Store { rpc Echo(Ask) returns (Ask); }`,
    );
    writeFileSync(
      join(root, 'shop/v1/types.proto'),
      `syntax = "proto3"; package shop.v1; import "google/protobuf/timestamp.proto";
       message Ask { google.protobuf.Timestamp at = 1; }`,
    );
    await using other = await session({ root: folder });
    const address = await other.call('AT_mock_start_grpc_server', {
      methods: { '/shop.v1.Store/Echo': { each: '{{message}}' } },
      port: 0,
    });
    const call = { address, method: '/shop.v1.Store/Echo', messages: [{ at: { seconds: '5', nanos: 1 } }] };
    expect(
      await other.call('AT_test_api_method_grpc', { ...call, descriptors: join(root, 'shop/v1/store.proto') }),
    ).toMatchObject({ messages: call.messages });
  });

  test('that are no descriptors are told', async () => {
    writeFileSync(join(folder, 'broken.proto'), 'message {');
    writeFileSync(join(folder, 'broken.pb'), 'nonsense');
    for (const name of ['broken.proto', 'broken.pb', 'none.proto'])
      expect((await failureOf(ask('Find', { descriptors: join(folder, name) }))).facts.code).toBe('SVC83313');
  });
});

test('runs once, begins empty again, and refuses what says nothing or too much', async () => {
  await using other = await session();
  await other.call('AT_mock_start_grpc_server', { methods, port: 0 });
  expect((await failureOf(other.call('AT_mock_start_grpc_server', { methods, port: 0 }))).facts.code).toBe('SVC83300');
  await other.call('AT_mock_stop_grpc_server');
  expect((await failureOf(other.call('AT_mock_grpc_received', { method_path: '/a/b' }))).facts.code).toBe('SVC83301');
  for (const script of [
    { response: 1, each: 2 },
    { delay_ms: 5 },
    { response: 1, error: { code: 'NOT_FOUND' } },
    { error: { code: 'BAD' } },
    { error: { code: 'OK' } },
    { response_base64: '#' },
  ])
    expect(
      (await failureOf(other.call('AT_mock_start_grpc_server', { methods: { '/a/b': script }, port: 0 }))).facts.code,
    ).toBe('SVC83304');
  expect(
    (await failureOf(other.call('AT_mock_start_grpc_server', { methods, port: Number(target.split(':')[1]) }))).facts
      .code,
  ).toBe('SVC83302');
});
