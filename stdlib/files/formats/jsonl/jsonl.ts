import { dirname } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';
import { requireFile } from '#stdlib/files/kind.ts';
import { readingNamed } from '#stdlib/files/text-decoding.ts';
import { openEncoder } from '#stdlib/files/text-encoding.ts';
import { formOf } from '#stdlib/files/text-form.ts';

import { dataText, linesOf } from '../data-text.ts';

import { recordOf } from './record.ts';

export const FA_jsonl_iter = command('FA_jsonl_iter', async ({ path, limit, encoding }, ctx) => {
  readingNamed(encoding);
  await requireFile(ctx.files, path);
  const records: JsonObject[] = [];
  let line = 0;
  for await (const text of linesOf(dataText(ctx, path, encoding), path)) {
    line += 1;
    if (text.trim() === '') continue;
    records.push(recordOf(text, { path, line }));
    if (records.length === limit) break;
  }
  return records;
});

export const FA_jsonl_append = command('FA_jsonl_append', async ({ path, record, encoding }, ctx) => {
  openEncoder(encoding);
  const there = await ctx.files.find(path);
  if (there?.kind === 'directory') throw fail.isAFolder({ path });
  const hasText = there?.kind === 'file' && there.size > 0;
  const line = `${JSON.stringify(record)}\n`;
  if (hasText) {
    await append(ctx.files, path, encoding, line);
    return true as const;
  }
  const { mark, encode } = openEncoder(encoding);
  const bytes = encode(line);
  if (there === undefined) await ctx.files.makeDirectory(dirname(path), { recursive: true });
  await ctx.files.append(path, Buffer.concat([mark, bytes]));
  return true as const;
});

/** Begins a new line first where the last one has no end, so that two records never share a line. */
async function append(files: Files, path: string, encoding: string, line: string): Promise<void> {
  const { encoding: kept, mark } = await formOf(files, path, encoding);
  const { encode } = openEncoder(kept);
  const bytes = encode(line);
  const end = encode('\n');
  const isNew = (await endsWith(files, path, end)) || (await files.stat(path)).size === mark.length;
  await files.append(path, isNew ? bytes : Buffer.concat([end, bytes]));
}

async function endsWith(files: Files, path: string, end: Uint8Array): Promise<boolean> {
  const file = await files.open(path);
  try {
    const last = await file.readAt(Math.max(0, file.size - end.length), end.length);
    return last.length === end.length && last.every((byte, index) => byte === end[index]);
  } finally {
    await file.close();
  }
}
