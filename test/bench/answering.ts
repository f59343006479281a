import { fork } from 'node:child_process';
import { createServer as createHttp } from 'node:http';
import { createServer as createTcp } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { serve } from '../servers/open.ts';
import { body, oneByOne } from './asking.ts';

/**
 * Serves one kind of server and says how much processor time a request has cost: `node answering.ts KIND WHO`. `WHO` is
 * `ours`, or `bare` for a server that parses the same request and answers the same bytes. The requests come from a
 * process of their own.
 */
const [kind = 'http', who = 'ours'] = process.argv.slice(2);
if (kind !== 'http' && kind !== 'tcp') throw new Error(kind);
const ours = await serve(kind);
const said = await oneByOne(kind, ours.server.port);

async function bare(): Promise<number> {
  const server =
    kind === 'http'
      ? createHttp((request, response) => {
          void text(request).then((asked) => {
            JSON.parse(asked);
            response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(said) });
            response.end(said);
          });
        })
      : createTcp({ allowHalfOpen: true }, (socket) => {
          socket.once('data', (asked) => {
            JSON.parse(asked.toString());
            socket.end(said);
          });
          socket.on('error', () => socket.destroy());
        });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const port = who === 'ours' ? ours.server.port : await bare();
const asking = fork(fileURLToPath(new URL('asking.ts', import.meta.url)), [kind, String(port)], {
  execArgv: ['--conditions=source'],
});
let before: NodeJS.CpuUsage | undefined;
asking.on('message', (count) => {
  // The first message comes behind the requests that warm up.
  if (!before) {
    before = process.cpuUsage();
    return;
  }
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ microseconds: (user + system) / Number(count), body }));
  process.exit(0);
});
