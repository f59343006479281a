import { basename, resolve } from 'node:path';

import { multipartBytes, readFormParts } from '#grammar/http/multipart.ts';
import type { PortContext } from '#runtime/kernel/ports.ts';
import { fileNotFound } from '#schemas/generated/failures.ts';

import type { HttpForm } from './port.ts';

/** A `multipart/form-data` body of fields and local files, with its media type. */
export async function multipart(
  { files: wanted, fields }: HttpForm,
  context: PortContext,
): Promise<{ readonly body: Uint8Array; readonly type: string }> {
  const files = await context.port('files');
  const boundary = `svc-${context.host.random.uuid()}`;
  const parts = await readFormParts(wanted, async (path) => {
    const whole = resolve(context.folders.cwd, path);
    if ((await files.find(whole))?.kind !== 'file') throw fileNotFound({ path });
    return { name: basename(whole), bytes: await files.read(whole) };
  });
  return { body: multipartBytes(fields, parts, boundary), type: `multipart/form-data; boundary=${boundary}` };
}
