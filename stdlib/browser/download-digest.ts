import type { Base, Ports } from '#runtime/kernel/ports.ts';

/** Size (bytes) and SHA-256 of a downloaded file, which is linked from the report with both. */
export async function digestOf(
  ctx: Base & Pick<Ports, 'files'>,
  path: string,
): Promise<{ readonly size: number; readonly sha256: string }> {
  const { size } = await ctx.files.stat(path);
  const sha256 = await ctx.files.digest(path, 'sha256', { signal: ctx.signal });
  ctx.attach({ kind: 'file', name: 'download', path });
  ctx.attach({ kind: 'text', name: 'download', text: `${size} bytes, sha256 ${sha256}` });
  return { size, sha256 };
}
