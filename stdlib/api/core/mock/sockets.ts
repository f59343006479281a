import { commandRaising } from '#stdlib/command.ts';

const command = commandRaising('MockServerException');

export const AT_mock_start_websocket_server = command(
  'AT_mock_start_websocket_server',
  async ({ routes, host, port }, ctx) => await ctx.mockWebSocket.start({ host, port, routes: routes ?? { '/': {} } }),
);

export const AT_mock_stop_websocket_server = command(
  'AT_mock_stop_websocket_server',
  async (_, ctx) => await ctx.mockWebSocket.stop(),
);

export const AT_mock_websocket_received = command('AT_mock_websocket_received', ({ path }, ctx) => [
  ...ctx.mockWebSocket.received(path),
]);
