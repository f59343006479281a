import { basename, resolve } from 'node:path';

import type { PortContext } from '#runtime/kernel/ports.ts';
import { fileNotFound } from '#schemas/generated/failures.ts';

import type { HttpForm } from './port.ts';

/** A `multipart/form-data` body (RFC 7578) of fields and local files, with its media type. */
export async function multipart(
  { files: wanted, fields }: HttpForm,
  context: PortContext,
): Promise<{ readonly body: Uint8Array; readonly type: string }> {
  const files = await context.port('files');
  const boundary = `svc-${context.host.random.uuid()}`;
  const parts: Buffer[] = fields.map(([name, value]) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`),
  );
  for (const [name, path] of Object.entries(wanted)) {
    const whole = resolve(context.folders.cwd, path);
    if ((await files.find(whole))?.kind !== 'file') throw fileNotFound({ path });
    const disposition = `form-data; name="${quoted(name)}"; filename="${quoted(basename(whole))}"`;
    parts.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`,
      ),
      Buffer.from(await files.read(whole)),
      Buffer.from('\r\n'),
    );
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { body: Buffer.concat(parts), type: `multipart/form-data; boundary=${boundary}` };
}

/** Name as browsers write it: characters that would end the line or the name are percent-encoded. */
function quoted(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
