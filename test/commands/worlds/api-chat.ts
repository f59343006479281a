import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { WebSocketServer } from 'ws';

import type { MakeWorld } from './world.ts';

/** A WebSocket server at `${ENV.CHAT_URL}` that sends back what it gets. */
export const world: MakeWorld = async () => {
  const server = createServer((_request, response) => response.writeHead(404).end());
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) =>
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    env: { CHAT_URL: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
