import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import { Calls } from '#runtime/servers/calls.ts';
import { MCP_PATH, openMcpHttp } from '#runtime/servers/mcp/http.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('a call over HTTP hears that it is cancelled, also when the collector has been there', async () => {
  const begun = Promise.withResolvers<AbortSignal>();
  const cancelled = Promise.withResolvers<void>();
  const make = (): Server => {
    const server = new Server({ name: 'waiting', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/call', async (_request, { mcpReq: { signal } }) => {
      signal.addEventListener('abort', () => cancelled.resolve());
      begun.resolve(signal);
      await cancelled.promise;
      return { content: [] };
    });
    return server;
  };
  const host = nodeHost();
  const turns = new Calls({ atOnce: 1, waiting: 1, seconds: 60 }, host.clock);
  const server = await openMcpHttp(
    { host: '127.0.0.1', port: 0, allowReachable: false, secret: null, turns },
    make,
    host,
  );
  try {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${server.port}${MCP_PATH}`)));
    const over = new AbortController();
    const called = client.callTool({ name: 'wait', arguments: {} }, { signal: over.signal });
    const signal = await begun.promise;
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      collectGarbage();
    }
    over.abort('no longer wanted');
    await expect(called).rejects.toThrow();
    await expect.poll(() => signal.aborted, { timeout: 10_000 }).toBe(true);
    await client.close();
  } finally {
    cancelled.resolve();
    await server.stop();
  }
});
