import { basename, dirname, join } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import { commandRaising, type Context } from '#stdlib/command.ts';
import { requireFile } from '#stdlib/files/kind.ts';
import { readingNamed, textOf } from '#stdlib/files/text-decoding.ts';
import { openEncoder } from '#stdlib/files/text-encoding.ts';
import { formOf, storedText } from '#stdlib/files/text-form.ts';

import { countLineBytes } from './count-line-bytes.ts';
import { countLines } from './count-lines.ts';
import { replaceLiteral, type Replaced } from './replace-literal.ts';
import { replaceMatches } from './replace-matches.ts';
import { removeOldParts, writeParts } from './parts.ts';

const command = commandRaising('TextOpsException', ['FileNotExistsException', 'DirNotExistsException']);

/** Largest text in which a regular expression is looked for: it must be in memory whole. */
const LARGEST = 64 * 1024 * 1024;

export const FA_file_split = command('FA_file_split', async ({ file_path, chunk_size, output_dir }, ctx) => {
  const { size } = await requireFile(ctx.files, file_path);
  const folder = output_dir ?? dirname(file_path);
  const there = await ctx.files.find(folder);
  if (there !== undefined && there.kind !== 'directory') throw fail.notAFolder({ path: folder });
  await ctx.files.makeDirectory(folder, { recursive: true });
  const base = join(folder, basename(file_path));
  const parts = await writeParts(ctx, { path: file_path, base, size, chunkSize: chunk_size });
  await removeOldParts(ctx.files, base, parts);
  return parts;
});

export const FA_file_merge = command('FA_file_merge', async ({ parts, target_path }, ctx) => {
  const missing: string[] = [];
  for (const part of parts) if ((await ctx.files.find(part))?.kind !== 'file') missing.push(part);
  if (missing.length > 0)
    throw fail.partsNotFound({ count: missing.length, paths: missing.map((path) => `"${path}"`).join(', ') });
  const { files, signal, durable } = ctx;
  async function* joined(): AsyncGenerator<Uint8Array, void> {
    for (const part of parts) yield* files.stream(part, { chunk: 1 << 20, signal });
  }
  await files.writeStream(target_path, joined(), { parents: true, durable, signal });
  return true as const;
});

export const FA_encoding_convert = command('FA_encoding_convert', async (params, ctx) => {
  const { file_path, target_path, source_encoding, target_encoding, errors } = params;
  const encoder = openEncoder(target_encoding, errors);
  readingNamed(source_encoding);
  await requireFile(ctx.files, file_path);
  const text = textOf(ctx, file_path, {
    encoding: source_encoding,
    onBad: errors,
    refuse: fail.textNotDecodable,
  });
  await ctx.files.writeStream(target_path, storedText(text, encoder, encoder.mark), {
    parents: true,
    durable: ctx.durable,
    signal: ctx.signal,
  });
  return true as const;
});

export const FA_line_count = command('FA_line_count', async ({ file_path, encoding }, ctx) => {
  const reading = readingNamed(encoding);
  await requireFile(ctx.files, file_path);
  const isUtf8 = typeof reading !== 'string' && reading.label === 'utf-8';
  const lines = isUtf8 ? await countLineBytes(ctx, file_path) : undefined;
  // A file that is no UTF-8 is read again, to tell where.
  return lines ?? countLines(textOf(ctx, file_path, { encoding, refuse: fail.textNotDecodable }));
});

export const FA_sed_replace = command('FA_sed_replace', async (params, ctx) => {
  const { file_path, pattern, replacement, regex, count, encoding } = params;
  readingNamed(encoding);
  const { size } = await requireFile(ctx.files, file_path);
  if (regex && size > LARGEST) throw fail.textTooLarge({ path: file_path, size, limit: LARGEST });
  const limit = count === 0 ? Infinity : count;
  const text = (): AsyncGenerator<string, void> => textOf(ctx, file_path, { encoding, refuse: fail.textNotDecodable });
  const replace = (): Replaced =>
    regex
      ? replaceMatches(ctx.regex, text(), { pattern, replacement, limit })
      : replaceLiteral(text(), { find: pattern, replacement, limit });
  return rewrite(ctx, { path: file_path, encoding, replace });
});

interface Rewrite {
  readonly path: string;
  readonly encoding: string;
  readonly replace: () => Replaced;
}

/** Looks for the first hit before it writes anything, so that a file without one is left alone. */
async function rewrite(ctx: Context<'FA_sed_replace'>, { path, encoding, replace }: Rewrite): Promise<number> {
  if (!(await hasHit(replace()))) return 0;
  const { files, durable, signal } = ctx;
  const form = await formOf(files, path, encoding);
  const encoder = openEncoder(form.encoding);
  const replaced = replace();
  await files.writeStream(path, storedText(replaced.text, encoder, form.mark), { durable, signal });
  return replaced.count();
}

async function hasHit(replaced: Replaced): Promise<boolean> {
  for await (const _ of replaced.text) if (replaced.count() > 0) return true;
  return replaced.count() > 0;
}
