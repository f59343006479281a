import { connect } from 'node:net';

import { describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import { Calls } from '#runtime/servers/calls.ts';

import { serve, type Served } from './open.ts';

const named = [
  { name: 'anna', secret: 'of-anna', allowed: ['FA_create_*', 'FA_execute_action'], denied: [] },
  { name: 'bert', secret: 'of-bert', allowed: null, denied: ['FA_create_*'] },
];

async function post({ url }: Served, secret: string, list: unknown): Promise<readonly [number, string]> {
  const answer = await fetch(`${url}/actions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify(list),
  });
  return [answer.status, await answer.text()];
}

function over({ server }: Served, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const socket = connect(server.port, '127.0.0.1', () => socket.end(text));
    socket.on('data', (piece) => (said += piece.toString())).on('close', () => resolve(said));
    socket.on('error', reject);
  });
}

const make = [['FA_create_dir', ['d']]];
const look = [['FA_mime_detect_bytes', ['aGVsbG8=']]];

describe('callers with names', () => {
  it('run what is theirs alone, over HTTP', async () => {
    await using served = await serve('http', { secret: 'of-all', allowed: ['FA_mime_*'], named });
    expect((await post(served, 'of-anna', make))[0]).toBe(200);
    expect((await post(served, 'of-anna', look))[0]).toBe(403);
    expect((await post(served, 'of-bert', look))[0]).toBe(200);
    expect((await post(served, 'of-bert', make))[0]).toBe(403);
    expect((await post(served, 'of-all', look))[0]).toBe(200);
    expect((await post(served, 'of-all', make))[0]).toBe(403);
    expect((await post(served, 'of-nobody', look))[0]).toBe(401);
    expect(served.heard.map(({ caller, outcome }) => [caller, outcome])).toEqual([
      ['anna', '200'],
      ['anna', '403'],
      ['bert', '200'],
      ['bert', '403'],
      [undefined, '200'],
      [undefined, '403'],
      [undefined, '401'],
    ]);
  });

  it('run what is theirs alone, over TCP', async () => {
    await using served = await serve('tcp', { secret: 'of-all', named });
    expect(await over(served, `AUTH of-anna\n${JSON.stringify(look)}`)).toContain('forbidden');
    expect(await over(served, `AUTH of-bert\n${JSON.stringify(look)}`)).toContain('"status":"ok"');
    expect(served.heard).toMatchObject([
      { caller: 'anna', outcome: 'forbidden' },
      { caller: 'bert', outcome: 'ok' },
    ]);
  });
});

describe('the log of calls', () => {
  it('names the commands that could run, in lists inside of the list too, and nothing else of it', async () => {
    await using served = await serve('http', { secret: 'of-all', named });
    const inner = ['FA_execute_action', { action_list: [['FA_create_dir', ['payload']]] }];
    expect((await post(served, 'of-anna', [inner, ['FA_create_dir', ['other']]]))[0]).toBe(200);
    expect((await post(served, 'of-anna', [['FA_no_such_payload', {}]]))[0]).toBe(422);
    const [first, second] = served.heard;
    expect([...(first?.commands ?? [])].sort()).toEqual(['FA_create_dir', 'FA_execute_action']);
    expect(second?.commands).toBeUndefined();
    expect(JSON.stringify(served.heard)).not.toMatch(/payload|of-anna/);
  });
});

describe('calls under way when a server stops', () => {
  it('are told apart by whether they ended by themselves', async () => {
    const calls = new Calls({ atOnce: 4, waiting: 0, seconds: 60 }, nodeHost().clock);
    const { promise: held, resolve: finish } = Promise.withResolvers<void>();
    const first = calls.run(() => held);
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const second = calls.run((signal) => {
      begin();
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    });
    await begun;
    const stopping = calls.end(50);
    finish();
    expect(await stopping).toEqual({ finished: 1, cancelled: 1 });
    await Promise.all([first, second]);
    expect(await calls.end(50)).toEqual({ finished: 0, cancelled: 0 });
  });
});
