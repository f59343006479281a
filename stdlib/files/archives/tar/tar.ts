import * as fail from '#schemas/generated/failures.ts';
import { commandRaising } from '#stdlib/command.ts';
import { isSame, requireFile } from '#stdlib/files/kind.ts';

import { tarMembers } from '../tar-members.ts';
import { placesOf, unpackStream } from '../unpack.ts';
import { packed, compressionNamed } from './pack.ts';
import { sourcesOf } from './sources.ts';

const command = commandRaising('TarException', ['FileNotExistsException', 'DirNotExistsException']);

export const FA_create_tar = command('FA_create_tar', async ({ source, target, compression, progress_name }, ctx) => {
  const format = compressionNamed(compression);
  const found = await ctx.files.find(source);
  if (found === undefined) throw fail.fileNotFound({ path: source });
  const archive = await ctx.files.find(target);
  if (archive !== undefined && found.kind === 'file' && isSame(archive, found)) throw fail.sameFile({ source, target });
  const sources = await sourcesOf(ctx, source, target);
  const total = sources.reduce((sum, { size }) => sum + size, 0);
  await ctx.progress.watch({ name: progress_name, total, signal: ctx.signal }, (transfer) =>
    packed({ ...ctx, signal: transfer.signal, onBytes: (bytes) => transfer.update(bytes) }, sources, format, target),
  );
  return target;
});

export const FA_extract_tar = command(
  'FA_extract_tar',
  async ({ source, target_dir, progress_name }, ctx) => {
    const { size } = await requireFile(ctx.files, source);
    const placed = await ctx.progress.watch({ name: progress_name, total: size, signal: ctx.signal }, (transfer) => {
      const tools = { ...ctx, signal: transfer.signal };
      const members = tarMembers(tools, { path: source, size, onBytes: (bytes) => transfer.update(bytes) });
      return unpackStream(tools, { archive: source, target: target_dir, packedSize: size }, members);
    });
    return placed.map(({ member }) => member.name);
  },
  async ({ source, target_dir }, ctx) => {
    const { size } = await requireFile(ctx.files, source);
    const request = { archive: source, target: target_dir, packedSize: size };
    return placesOf(ctx, request, tarMembers(ctx, { path: source, size }));
  },
);
