import type { Base, Ports } from '#runtime/kernel/ports.ts';

/** Writes a picture, with `.png` behind a name that lacks it. Yields the path that was written. */
export async function writePicture(path: string, bytes: Uint8Array, ctx: Base & Pick<Ports, 'files'>): Promise<string> {
  const whole = pictureName(path);
  await ctx.files.write(whole, bytes, { parents: true, durable: ctx.durable, signal: ctx.signal });
  ctx.attach({ kind: 'file', name: 'screenshot', path: whole });
  return whole;
}

function pictureName(path: string): string {
  return /\.png$/i.test(path) ? path : `${path}.png`;
}
