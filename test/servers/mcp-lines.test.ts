import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';

import { describe, expect, it } from 'vitest';

import { commandLine } from '../built.ts';

describe('lines that are no messages', () => {
  it('get the errors of JSON-RPC, and the server stays up until its input ends', { timeout: 60_000 }, async () => {
    const child = spawn(process.execPath, [...commandLine, 'mcp', '--allowed-actions', 'FA_copy_file'], {
      cwd: tmpdir(),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => (text += String(chunk)));
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const lines = [
      '{ broken',
      '',
      '[]',
      '7',
      '{"id":1,"method":"ping"}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
      '{"jsonrpc":"2.0","method":"notifications/nothing"}',
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}',
      '{"jsonrpc":"2.0","id":2,"method":"nothing"}',
      '{"jsonrpc":"2.0","id":3,"method":"ping"}',
      '{"jsonrpc":"2.0","id":5,"method":"ping","more":1}',
      '{"jsonrpc":"2.0","id":6,"method":"ping","params":{"_meta":5}}',
      '{"jsonrpc":"2.0","id":7,"method":"ping","result":{}}',
      '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":7}}',
    ];
    child.stdin.write(`${lines.join('\n')}\n`);
    while (!text.includes('"id":4')) await new Promise((resolve) => setTimeout(resolve, 20));
    child.stdin.end();
    expect(await ended).toBe(0);
    const answers = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
    expect(answers.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual([
      -32700, -32600, -32600, -32600, -32600, -32600,
    ]);
    const byId = new Map(answers.map((answer) => [answer.id, answer]));
    expect(byId.get(1)).toMatchObject({
      result: { protocolVersion: '2024-11-05', serverInfo: { name: 'svc', version: '1.0.0' } },
    });
    expect([byId.get(2)?.error?.code, byId.get(3), byId.get(4)?.error?.code]).toEqual([
      -32601,
      { jsonrpc: '2.0', id: 3, result: {} },
      -32602,
    ]);
    // A request that the SDK passes over is answered all the same: its client waits.
    for (const id of [5, 6, 7]) expect(byId.get(id)?.error?.code).toBe(-32600);
  });
});
