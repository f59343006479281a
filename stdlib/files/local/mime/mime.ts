import * as fail from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';
import { requireFile } from '#stdlib/files/kind.ts';

import { typeByName } from '#stdlib/files/type-by-name.ts';
import { LONGEST, typeByBytes } from './signatures.ts';

const UNKNOWN = 'application/octet-stream';

export const FA_mime_detect = command('FA_mime_detect', async ({ path }, ctx) => {
  const named = typeByName(path);
  if (named !== undefined) return named;
  await requireFile(ctx.files, path);
  const file = await ctx.files.open(path);
  try {
    return typeByBytes(await file.readAt(0, LONGEST)) ?? UNKNOWN;
  } finally {
    await file.close();
  }
});

export const FA_mime_detect_bytes = command('FA_mime_detect_bytes', ({ data }) => {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(data)) throw fail.notBase64({});
  return typeByBytes(Buffer.from(data.slice(0, LONGEST * 2), 'base64')) ?? UNKNOWN;
});
