import { fork } from 'node:child_process';
import { createServer as createHttp } from 'node:http';
import { createServer as createTcp } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { session } from '../commands/session.ts';
import { serve } from '../servers/open.ts';
import { body, oneByOne, type Kind } from './asking.ts';

/**
 * Serves one kind of server and says how much processor time a request has cost: `node answering.ts KIND WHO`. `WHO` is
 * `ours` (a mock without a document), `document` (one that judges requests by OpenAPI), or `bare` for a server that
 * parses the same request and answers the same bytes. The requests come from a process of their own.
 */
const [kind = 'http', who = 'ours'] = process.argv.slice(2);
if (kind !== 'http' && kind !== 'tcp' && kind !== 'mock') throw new Error(kind);
const answer = { 'content-type': 'application/json' };
const document = {
  openapi: '3.1.0',
  paths: {
    '/item/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { '200': { content: { 'application/json': { example: { id: 7, state: 'done' } } } } } },
    },
  },
};

async function mock(): Promise<number> {
  const unit = await session({});
  const { port } = (await unit.call('AT_start_mock_server', {})) as { readonly port: number };
  if (who === 'document') await unit.call('AT_mock_load_openapi', { spec: document });
  else await unit.call('AT_mock_add_template_route', { rule: '/item/7', body_template: { id: 7, state: 'done' } });
  return port;
}

const ours = kind === 'mock' ? await mock() : (await serve(kind)).server.port;
const said = await oneByOne(kind, ours);

function bareServer(of: Kind): Server {
  if (of === 'tcp')
    return createTcp({ allowHalfOpen: true }, (socket) => {
      socket.once('data', (asked) => {
        JSON.parse(asked.toString());
        socket.end(said);
      });
      socket.on('error', () => socket.destroy());
    });
  return createHttp((request, response) => {
    void text(request).then((asked) => {
      if (of === 'http') JSON.parse(asked);
      response.writeHead(200, { ...answer, 'content-length': Buffer.byteLength(said) });
      response.end(said);
    });
  });
}

async function bare(): Promise<number> {
  const server = bareServer(kind as Kind);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const port = who === 'bare' ? await bare() : ours;
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
