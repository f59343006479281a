import { basename } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';
import { isSame, requireFile, requireFolder } from '#stdlib/files/kind.ts';

import { memberNamed, withArchive } from './with-archive.ts';
import { sourcesOfFiles, sourcesOfFolder } from './sources.ts';
import { unpack } from './unpack.ts';

export const FA_zip_dir = command('FA_zip_dir', async ({ dir_we_want_to_zip, zip_name }, ctx) => {
  await requireFolder(ctx.files, dir_we_want_to_zip);
  const path = zip_name.toLowerCase().endsWith('.zip') ? zip_name : `${zip_name}.zip`;
  const sources = await sourcesOfFolder(ctx, dir_we_want_to_zip, path);
  await ctx.zip.write(path, sources, { durable: ctx.durable, signal: ctx.signal });
  return path;
});

export const FA_zip_file = command('FA_zip_file', async ({ zip_file_path, file }, ctx) => {
  const paths = typeof file === 'string' ? [file] : file;
  const archive = await ctx.files.find(zip_file_path);
  for (const path of paths) {
    const found = await requireFile(ctx.files, path);
    if (archive !== undefined && isSame(archive, found)) throw fail.sameFile({ source: path, target: zip_file_path });
  }
  await ctx.zip.write(zip_file_path, await sourcesOfFiles(ctx.files, paths), { durable: ctx.durable, signal: ctx.signal });
  return null;
});

export const FA_zip_info = command('FA_zip_info', async ({ zip_file_path }, ctx) =>
  withArchive(ctx.zip, zip_file_path, ({ members }) =>
    members.map(({ name, size, packedSize, crc, modifiedAt, kind, isEncrypted }) => ({
      filename: name,
      file_size: size,
      compress_size: packedSize,
      ...(crc !== undefined && { crc }),
      modified_at: modifiedAt,
      is_dir: kind === 'folder',
      encrypted: isEncrypted,
    })),
  ),
);

export const FA_zip_file_info = command('FA_zip_file_info', async ({ zip_file_path }, ctx) =>
  withArchive(ctx.zip, zip_file_path, ({ members }) => members.map(({ name }) => name)),
);

export const FA_set_zip_password = command('FA_set_zip_password', async ({ zip_file_path, password }, ctx) => {
  await requireFile(ctx.files, zip_file_path);
  ctx.zip.remember(zip_file_path, password);
  return null;
});

export const FA_unzip_file = command('FA_unzip_file', async ({ zip_file_path, extract_member, extract_path, password }, ctx) =>
  withArchive(ctx.zip, zip_file_path, async ({ members }) => {
    const chosen = [memberNamed(members, extract_member, zip_file_path)];
    const [written] = await unpack(ctx, { archive: zip_file_path, members: chosen, target: extract_path ?? '.', password: password ?? undefined });
    return written ?? basename(extract_member);
  }),
);

export const FA_read_zip_file = command('FA_read_zip_file', async ({ zip_file_path, file_name, password }, ctx) =>
  withArchive(ctx.zip, zip_file_path, async ({ members }) => {
    const member = memberNamed(members, file_name, zip_file_path);
    const limit = ctx.zip.limits.readBytes;
    if (member.size > limit) throw fail.zipMemberTooLarge({ member: file_name, path: zip_file_path, limit });
    const chunks: Uint8Array[] = [];
    for await (const chunk of member.content({ password: password ?? undefined, signal: ctx.signal })) chunks.push(chunk);
    return Buffer.concat(chunks).toString('base64');
  }),
);

export const FA_unzip_all = command('FA_unzip_all', async ({ zip_file_path, extract_member, extract_path, password }, ctx) =>
  withArchive(ctx.zip, zip_file_path, ({ members }) => {
    const chosen = extract_member === null ? members : extract_member.map((name) => memberNamed(members, name, zip_file_path));
    return unpack(ctx, { archive: zip_file_path, members: chosen, target: extract_path ?? '.', password: password ?? undefined });
  }),
);
