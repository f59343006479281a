import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { END_MARK, readRequest, RequestEnd } from '#runtime/servers/tcp/protocol.ts';

import { serve, type Served } from './open.ts';

/** Reply of a server to bytes that are sent piece by piece, without an end unless `ends`. */
function ask({ server }: Served, pieces: readonly (string | Uint8Array)[], ends = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1');
    let reply = '';
    socket.on('data', (chunk) => (reply += chunk.toString()));
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(reply));
    socket.on('error', reject);
    socket.on('connect', () => void sendAll(socket, pieces, ends));
  });
}

async function sendAll(socket: Socket, pieces: readonly (string | Uint8Array)[], ends: boolean): Promise<void> {
  for (const piece of pieces) {
    socket.write(piece);
    if (pieces.length > 1) await new Promise((next) => setTimeout(next, 5));
  }
  if (ends) socket.end();
}

let open: Served;
let closed: Served;
beforeAll(async () => {
  [open, closed] = await Promise.all([serve('tcp'), serve('tcp', { secret: 'k1', denied: ['FA_remove_*'] })]);
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
});

describe('the TCP action server', () => {
  it('runs a list that comes in pieces, and replies with a line a result and the end mark', async () => {
    const reply = await ask(open, ['[["FA_create_dir",', '["d\\"]"]],["FA_copy_file",["no","b"]]]']);
    const lines = reply.split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^execute\[0\]: \["FA_create_dir",\["d\\"\]"\]\] -> \{.*"status":"ok"/);
    expect(lines[1]).toMatch(/^execute\[1\]: .* -> \{.*"status":"error"/);
    expect(reply.endsWith(`\n${END_MARK}`)).toBe(true);
    expect(existsSync(join(open.root, 'd"]'))).toBe(true);
  });

  it('asks for the secret in an AUTH line', async () => {
    const list = '[["FA_create_dir",["auth"]]]';
    expect(await ask(closed, [`AUTH nope\n${list}`])).toBe(`auth error\n${END_MARK}`);
    expect(await ask(closed, [`${list}\n`])).toBe(`auth error\n${END_MARK}`);
    expect(await ask(closed, ['AUTH k1\n'], true)).toBe(`auth error\n${END_MARK}`);
    expect(existsSync(join(closed.root, 'auth'))).toBe(false);
    // The bytes of the documentation.
    const bytes = Buffer.from(
      '4155544820 6b310a 5b5b2246415f6372656174655f646972222c5b2264225d5d5d'.replaceAll(' ', ''),
      'hex',
    );
    expect(await ask(closed, [bytes])).toMatch(/^execute\[0\]: /);
  });

  it.each([
    ['[[', true, /^json error: /],
    ['[]', false, /^execution error: /],
    ['[["FA_run_shell", [["id"]]]]', false, /^forbidden: action not permitted: FA_run_shell\n/],
    [Buffer.from([0x5b, 0xff, 0x5d]), false, /^decode error: /],
  ])('refuses %j', async (sent, ends, words) => {
    const reply = await ask(open, [sent], ends);
    expect(reply).toMatch(words);
    expect(reply.endsWith(END_MARK)).toBe(true);
  });

  it('closes an empty connection without a word', async () => {
    expect(await ask(open, [], true)).toBe('');
    expect(await ask(open, ['  \n'], true)).toBe('');
  });

  it('frames its reply where the request is framed', async () => {
    const list = '[["FA_create_dir",["framed"]]]';
    const reply = await ask(open, [`LEN ${list.length}\n${list}`]);
    const [, length, text = ''] = /^LEN (\d+)\n([\s\S]*)$/.exec(reply) ?? [];
    expect(Buffer.byteLength(text)).toBe(Number(length));
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['results']);
    expect(await ask(open, ['LEN 2\n[]'])).toMatch(/^LEN \d+\n\{"error":\{"kind":"execution"/);
  });

  it.each([
    ['LEN many\n[["FA_create_dir",["unread"]]]', 'LEN has no number of bytes'],
    ['LEN -1\n[["FA_create_dir",["unread"]]]', 'LEN has no number of bytes'],
    ['LEN 99\n[["FA_create_dir",["unread"]]]', 'the request ended after 30 of 99 bytes'],
    ['LEN 3\n[["FA_create_dir",["unread"]]]', 'json error'],
  ])('runs nothing of %j', async (sent, words) => {
    const reply = await ask(open, [sent], true);
    expect(reply).toMatch(/^LEN \d+\n\{"error":/);
    expect(reply).toContain(words);
  });

  it.each(['actions', 'auto_control', 'svc'])('runs nothing where "dry_run" stands beside "%s"', async (key) => {
    const list = JSON.stringify({ [key]: [['FA_create_dir', ['dry']]], dry_run: true });
    expect(await ask(open, [list])).toMatch(/"status":"dry_run"/);
    expect(existsSync(join(open.root, 'dry'))).toBe(false);
    expect(await ask(open, [list.replace('true', '"yes"')])).toMatch(
      /^execution error: "dry_run" must be true or false/,
    );
  });

  it('stops when this machine asks for it, with the secret', async () => {
    const served = await serve('tcp', { secret: 'k1' });
    try {
      expect(await ask(served, ['quit_server'], true)).toBe(`auth error\n${END_MARK}`);
      expect(await ask(served, ['AUTH k1\nquit_server'])).toBe('server shutting down\n');
      await served.server.stop();
      await expect(ask(served, ['[]'])).rejects.toThrow(/ECONNREFUSED/);
    } finally {
      await served[Symbol.asyncDispose]();
    }
  });
});

describe('the end of a request', () => {
  it('costs as much as the request is long, however it is cut', () => {
    const seconds = (size: number): number => {
      const end = new RequestEnd();
      const letter = Buffer.from('x');
      const began = process.cpuUsage();
      end.add(Buffer.from('["'));
      for (let index = 0; index < size; index += 1) end.add(letter);
      const { user, system } = process.cpuUsage(began);
      return (user + system) / 1e6;
    };
    // The least of some turns: the collector may come in any.
    const least = (size: number): number => Math.min(...Array.from({ length: 5 }, () => seconds(size)));
    least(20_000);
    // Of more pieces the memory is larger than what is near the processor.
    const [short, long] = [least(25_000), least(200_000)];
    // Eight times as much; what copies all that is there with every piece takes 64 times as long.
    expect(long / short).toBeLessThan(24);
  });

  it.each([
    ['LEN ', 'decode'],
    ['LEN 11', 'decode'],
  ])('comes where a line "%s" has none', (line, outcome) => {
    const end = new RequestEnd();
    const bytes = Buffer.from(line.padEnd(10_000, '1'));
    expect(end.add(bytes)).toBe(true);
    expect(readRequest(end.bytes, false).asked).toMatchObject({ kind: 'refused', outcome });
  });

  it('is found wherever the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { minLength: 1 }),
        fc.boolean(),
        fc.boolean(),
        fc.array(fc.nat(40)),
        (list, givesSecret, hasSecret, cuts) => {
          const bytes = Buffer.from(`${givesSecret ? 'AUTH a]b[\n' : ''}${JSON.stringify(list)}`);
          const end = new RequestEnd();
          let at = 0;
          let isWhole = false;
          for (const size of [...cuts, bytes.length]) {
            const piece = bytes.subarray(at, at + size);
            at += piece.length;
            if (piece.length === 0) continue;
            isWhole = end.add(piece);
            if (isWhole) break;
          }
          expect([isWhole, at]).toEqual([true, bytes.length]);
          expect(readRequest(end.bytes, hasSecret)).toEqual({
            isFramed: false,
            secret: givesSecret ? 'a]b[' : undefined,
            asked: { kind: 'actions', actions: JSON.parse(JSON.stringify(list)) as unknown, dryRun: false },
          });
        },
      ),
    );
  });
});

describe('a peer that the TCP action server does not wait for', () => {
  it('is told of a request above the limit, by its bytes or by its length', async () => {
    const words = 'execution error: a request has at most 1048576 bytes';
    expect(await ask(open, [`["${'x'.repeat(1_100_000)}`])).toBe(`${words}\n${END_MARK}`);
    expect(await ask(open, ['LEN 1048577\n[]'])).toMatch(
      `{"error":{"kind":"execution","message":${JSON.stringify(words)}}}`,
    );
  });

  it.each([
    ['does not know the secret', 'AUTH other\n[["FA_create_dir",'],
    ['gives none', '[["FA_create_dir",'],
    ['frames its request', 'LEN 1000\nAUTH other\n[['],
    ['has a secret without end', `AUTH ${'x'.repeat(9000)}`],
  ])('is refused by the beginning of what it says where it %s', async (_who, beginning) => {
    expect(await ask(closed, [beginning])).toContain('auth error');
    expect(closed.heard.at(-1)).toMatchObject({ outcome: 'auth' });
  });

  it('may say its secret and its list bit by bit', async () => {
    expect(await ask(closed, [...'AUTH k1\n[["FA_create_dir",["bits"]]]'])).toContain('"status":"ok"');
  });

  it('is cut off where it keeps its end open behind the reply, or falls silent', async () => {
    await using served = await serve('tcp', { idleMs: 200 });
    for (const said of ['[["FA_create_dir",["d"]]]', '[["FA_create']) {
      const socket = connect({ port: served.server.port, host: '127.0.0.1', allowHalfOpen: true });
      socket.resume().write(said);
      await new Promise((resolve) => socket.on('error', () => undefined).on('end', resolve));
      // A connection that is still half open takes what is written; one that is gone answers by a reset.
      await new Promise((resolve) => setTimeout(resolve, 600));
      const gone = new Promise((resolve) => socket.once('close', resolve));
      for (let count = 0; count < 5 && !socket.destroyed; count += 1) {
        socket.write(' ');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await gone;
    }
  });
});
