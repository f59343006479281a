import { basename, resolve } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { fileNotFound } from '#schemas/generated/failures.ts';
import type { EncodedBody } from '#stdlib/http/prepare.ts';

/** A `multipart/form-data` body (RFC 7578) of fields and local files. */
export async function multipart(
  files: Readonly<Record<string, string>>,
  fields: readonly (readonly [name: string, value: string])[],
  ctx: Base & Pick<Ports, 'files' | 'random'>,
): Promise<EncodedBody> {
  const boundary = `svc-${ctx.random.uuid()}`;
  const parts: Buffer[] = fields.map(([name, value]) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`),
  );
  for (const [name, path] of Object.entries(files)) {
    const whole = resolve(ctx.folders.cwd, path);
    if ((await ctx.files.find(whole))?.kind !== 'file') throw fileNotFound({ path });
    const disposition = `form-data; name="${quoted(name)}"; filename="${quoted(basename(whole))}"`;
    parts.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`,
      ),
      Buffer.from(await ctx.files.read(whole)),
      Buffer.from('\r\n'),
    );
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { body: Buffer.concat(parts), type: `multipart/form-data; boundary=${boundary}` };
}

/** As browsers write names: what would end the line or the name is percent-encoded. */
function quoted(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
