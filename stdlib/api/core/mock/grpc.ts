import { commandRaising } from '#stdlib/command.ts';

import type { GrpcScript } from '../../mock/grpc/port.ts';

const command = commandRaising('MockServerException');

export const AT_mock_start_grpc_server = command(
  'AT_mock_start_grpc_server',
  async ({ methods, host, port }, ctx) =>
    await ctx.mockGrpc.start({ host, port, methods: methods as Readonly<Record<string, GrpcScript>> }),
);

export const AT_mock_stop_grpc_server = command(
  'AT_mock_stop_grpc_server',
  async (_, ctx) => await ctx.mockGrpc.stop(),
);

export const AT_mock_grpc_received = command('AT_mock_grpc_received', ({ method_path: method, as }, ctx) =>
  ctx.mockGrpc
    .received(method)
    .map((bytes) => (as === 'base64' ? Buffer.from(bytes).toString('base64') : new TextDecoder().decode(bytes))),
);
