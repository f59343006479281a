import * as fail from '#schemas/generated/failures.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import type { GrpcScript } from '#stdlib/api/mock/grpc/port.ts';

import { wanted } from '../wanted.ts';

/**
 * Holds the sections of a mock configuration beside the HTTP one to the declarations of the commands that start them.
 * Whoever serves a whole configuration calls it before the first port is opened; `path` names the file in failures.
 */
export async function checkMockSections(
  path: string,
  { websocket, grpc }: { readonly websocket?: JsonObject | undefined; readonly grpc?: JsonObject | undefined },
): Promise<void> {
  const section = async (name: string, check: () => unknown): Promise<void> => {
    try {
      await check();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause);
      throw fail.mockConfigUnreadable({ path, reason: `section "${name}": ${reason}`, cause });
    }
  };
  if (websocket) await section('websocket', () => wanted('AT_mock_start_websocket_server', websocket));
  if (!grpc) return;
  await section('grpc', () => wanted('AT_mock_start_grpc_server', grpc));
  const [{ grpcPackage }, { readScript }] = await Promise.all([
    import('#stdlib/api/clients/grpc/grpc-package.ts'),
    import('#stdlib/api/mock/grpc/script.ts'),
  ]);
  const { status } = await grpcPackage();
  await section('grpc', () => {
    for (const [method, script] of Object.entries(grpc['methods'] as Readonly<Record<string, GrpcScript>>))
      readScript(method, script, status);
  });
}
