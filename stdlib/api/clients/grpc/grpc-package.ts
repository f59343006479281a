import { createRequire } from 'node:module';

import * as fail from '#schemas/generated/failures.ts';

const GRPC = { package: '@grpc/grpc-js', version: '1.14.7' };

/** The optional package; the version that this was tested with is that of our peer dependencies. */
export async function grpcPackage(): Promise<typeof import('@grpc/grpc-js')> {
  try {
    createRequire(import.meta.url).resolve(GRPC.package);
  } catch (cause) {
    throw fail.grpcMissing({ ...GRPC, cause });
  }
  return await import('@grpc/grpc-js');
}
