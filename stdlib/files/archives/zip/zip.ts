import { basename, join } from 'node:path';

import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';
import { isSame, requireFile, requireFolder } from '#stdlib/files/kind.ts';

import { memberNamed, withArchive } from '../with-zip.ts';
import { sourcesOfFiles, sourcesOfFolder } from './sources.ts';
import { unpackZip, zipPlaces } from '../unpack-zip.ts';

export const FA_zip_dir = command('FA_zip_dir', async ({ dir_we_want_to_zip, zip_name, progress_name }, ctx) => {
  await requireFolder(ctx.files, dir_we_want_to_zip);
  const path = zip_name.toLowerCase().endsWith('.zip') ? zip_name : `${zip_name}.zip`;
  const sources = await sourcesOfFolder(ctx, dir_we_want_to_zip, path);
  await packed(ctx, path, sources, progress_name);
  return path;
});

export const FA_zip_file = command('FA_zip_file', async ({ zip_file_path, file, progress_name }, ctx) => {
  const paths = typeof file === 'string' ? [file] : file;
  const archive = await ctx.files.find(zip_file_path);
  for (const path of paths) {
    const found = await requireFile(ctx.files, path);
    if (archive !== undefined && isSame(archive, found)) throw fail.sameFile({ source: path, target: zip_file_path });
  }
  await packed(ctx, zip_file_path, await sourcesOfFiles(ctx.files, paths), progress_name);
  return null;
});

type PackingContext = Pick<Ports, 'zip' | 'progress'> & { readonly durable: boolean; readonly signal: AbortSignal };

function packed(
  { zip, progress, durable, signal }: PackingContext,
  path: string,
  sources: Awaited<ReturnType<typeof sourcesOfFiles>>,
  name: string | null,
): Promise<void> {
  const total = sources.reduce((sum, { size }) => sum + size, 0);
  return progress.watch({ name, total, signal }, (transfer) =>
    zip.write(path, sources, { durable, signal: transfer.signal, onBytes: (bytes) => transfer.update(bytes) }),
  );
}

export const FA_zip_info = command('FA_zip_info', async ({ zip_file_path }, ctx) =>
  withArchive(ctx, zip_file_path, ({ members }) =>
    members.map(({ name, size, packedSize, crc, modifiedAt, kind, isEncrypted }) => ({
      filename: name,
      file_size: size,
      compress_size: packedSize,
      ...(crc !== undefined && { crc }),
      ...(modifiedAt !== undefined && { modified_at: modifiedAt }),
      is_dir: kind === 'folder',
      encrypted: isEncrypted,
    })),
  ),
);

export const FA_zip_file_info = command('FA_zip_file_info', async ({ zip_file_path }, ctx) =>
  withArchive(ctx, zip_file_path, ({ members }) => members.map(({ name }) => name)),
);

export const FA_set_zip_password = command('FA_set_zip_password', async ({ zip_file_path, password }, ctx) => {
  await requireFile(ctx.files, zip_file_path);
  ctx.zip.remember(zip_file_path, password);
  return null;
});

export const FA_unzip_file = command(
  'FA_unzip_file',
  async ({ zip_file_path, extract_member, extract_path, password }, ctx) =>
    withArchive(ctx, zip_file_path, async ({ members }) => {
      const chosen = [memberNamed(members, extract_member, zip_file_path)];
      const target = extract_path ?? '.';
      const [written] = await unpackZip(ctx, {
        archive: zip_file_path,
        members: chosen,
        target,
        password: password ?? undefined,
      });
      return written === undefined ? basename(extract_member) : join(target, ...written.parts);
    }),
);

export const FA_read_zip_file = command('FA_read_zip_file', async ({ zip_file_path, file_name, password }, ctx) =>
  withArchive(ctx, zip_file_path, async ({ members }) => {
    const member = memberNamed(members, file_name, zip_file_path);
    const limit = ctx.archiveRules.readBytes;
    if (member.size > limit) throw fail.zipMemberTooLarge({ member: file_name, path: zip_file_path, limit });
    const chunks: Uint8Array[] = [];
    for await (const chunk of member.content({ password: password ?? undefined, signal: ctx.signal }))
      chunks.push(chunk);
    return Buffer.concat(chunks).toString('base64');
  }),
);

export const FA_unzip_all = command(
  'FA_unzip_all',
  async ({ zip_file_path, extract_member, extract_path, password }, ctx) =>
    withArchive(ctx, zip_file_path, async ({ members }) => {
      const chosen =
        extract_member === null
          ? members
          : [...new Set(extract_member)].map((name) => memberNamed(members, name, zip_file_path));
      const target = extract_path ?? '.';
      const written = await unpackZip(ctx, {
        archive: zip_file_path,
        members: chosen,
        target,
        password: password ?? undefined,
      });
      return written.map(({ parts }) => join(target, ...parts));
    }),
  async ({ zip_file_path, extract_member, extract_path }, ctx) =>
    withArchive(ctx, zip_file_path, ({ members }) =>
      zipPlaces(ctx, {
        archive: zip_file_path,
        members:
          extract_member === null
            ? members
            : [...new Set(extract_member)].map((name) => memberNamed(members, name, zip_file_path)),
        target: extract_path ?? '.',
      }),
    ),
);
