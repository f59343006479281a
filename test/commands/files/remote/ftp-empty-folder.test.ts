import { createServer, type AddressInfo, type Socket } from 'node:net';

import { expect, test } from 'vitest';

import { startRaw } from '../../api/servers.ts';
import { failureOf } from '../../call.ts';
import { session } from '../../session.ts';

/** A server whose folders can be entered, and which answers every question for a listing in one way. */
async function startFtp(refusal: string) {
  const data = createServer((socket) => void socket.on('error', () => undefined).end());
  await new Promise<void>((done) => void data.listen(0, '127.0.0.1', done));
  const { port: dataPort } = data.address() as AddressInfo;
  const answers: Readonly<Record<string, string>> = {
    USER: '230 in',
    TYPE: '200 ok',
    STRU: '200 ok',
    PWD: '257 "/"',
    CWD: '250 ok',
    EPSV: `229 Passive (|||${dataPort}|)`,
    MLSD: '500 what?',
    SIZE: '550 no',
    LIST: refusal,
  };
  const server = await startRaw((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.write('220 hello\r\n');
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n').filter(Boolean))
        socket.write(`${answers[line.split(' ')[0] ?? ''] ?? '502 no'}\r\n`);
    });
  });
  return { port: server.port, close: () => (data.close(), server[Symbol.asyncDispose]()) };
}

async function listed(refusal: string): Promise<unknown> {
  const server = await startFtp(refusal);
  await using unit = await session({ settings: { gates: { private: true } } });
  try {
    await unit.call('FA_ftp_later_init', { host: '127.0.0.1', port: server.port });
    return await unit.call('FA_ftp_list_dir', { remote_path: 'in' });
  } finally {
    await unit.end();
    await server.close();
  }
}

test.each([
  '550 No files found.',
  '450 No files found',
  '550 in: No such file or directory',
  '550 Directory is empty.',
  '550 No members found.',
])('a folder that can be entered is empty where listing it says "%s"', async (refusal) => {
  expect(await listed(refusal)).toEqual([]);
});

test.each([
  ['550 Permission denied.', 'storage-denied'],
  ['550 No files may be listed by you.', 'storage-denied'],
  ['450 The file is busy.', 'storage-unavailable'],
])('listing fails where the server says "%s"', async (refusal, name) => {
  expect((await failureOf(listed(refusal))).facts.name).toBe(name);
});
