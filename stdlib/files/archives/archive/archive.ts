import type { CommandMap } from '#schemas/generated/command-map.ts';
import * as fail from '#schemas/generated/failures.ts';
import { commandRaising, type Context } from '#stdlib/command.ts';
import { requireFile } from '#stdlib/files/kind.ts';

import type { Member } from '../member.ts';
import { tarMembers } from '../tar-members.ts';
import { placesOf, unpackStream } from '../unpack.ts';
import { unpackZip, zipPlaces } from '../unpack-zip.ts';
import { withArchive } from '../with-zip.ts';
import { formatOf, formats } from './format-of.ts';
import { unpackSevenZip } from './unpack-seven-zip.ts';
import { unpackSingle } from './single.ts';

const command = commandRaising('ArchiveException');

export const FA_archive_detect = command('FA_archive_detect', async ({ path }, ctx) => {
  await requireFile(ctx.files, path);
  return formatOf(ctx, path);
});

export const FA_archive_list = command('FA_archive_list', async ({ path }, ctx) => {
  const { size } = await requireFile(ctx.files, path);
  const format = await formatOf(ctx, path);
  switch (format) {
    case 'zip':
      return withArchive(ctx, path, ({ members }) => members.map(({ name }) => name));
    case '7z':
    case 'rar':
      return (await ctx.sevenZip.list(path, { format, command: ctx.step.command, signal: ctx.signal })).map(
        ({ name }) => name,
      );
    case 'gz':
    case 'bz2':
    case 'xz':
    case 'zst':
      throw fail.archiveSingleStream({ path, format });
    default: {
      const names: string[] = [];
      for await (const { name } of tarMembers(ctx, { path, size })) {
        names.push(name);
        if (names.length > ctx.archiveRules.entries)
          throw fail.archiveTooManyMembers({ path, limit: ctx.archiveRules.entries });
      }
      return names;
    }
  }
});

export const FA_archive_extract = command('FA_archive_extract', extracted, async ({ source, target }, ctx) => {
  const { size } = await requireFile(ctx.files, source);
  const format = await formatOf(ctx, source);
  const request = { archive: source, target, packedSize: size };
  if (format === 'zip')
    return withArchive(ctx, source, ({ members }) => zipPlaces(ctx, { archive: source, members, target }));
  if (format === '7z' || format === 'rar') return {};
  if (format === 'gz' || format === 'bz2' || format === 'xz' || format === 'zst') return {};
  return placesOf(ctx, request, withoutLinks(tarMembers(ctx, { path: source, size })));
});

async function extracted(
  { source, target }: CommandMap['FA_archive_extract']['params'],
  ctx: Context<'FA_archive_extract'>,
): Promise<string[]> {
  const { size } = await requireFile(ctx.files, source);
  const format = await formatOf(ctx, source);
  const request = { archive: source, target, packedSize: size };
  switch (format) {
    case 'zip':
      return withArchive(ctx, source, async ({ members }) => {
        const placed = await unpackZip(ctx, { archive: source, members, target, password: undefined });
        return placed.filter(({ member }) => member.kind === 'file').map(({ member }) => member.name);
      });
    case '7z':
    case 'rar':
      return (await unpackSevenZip(ctx, format, request)).map(({ member }) => member.name);
    case 'gz':
    case 'bz2':
    case 'xz':
    case 'zst':
      return [await unpackSingle(ctx, request)];
    default:
      return (await unpackStream(ctx, request, withoutLinks(tarMembers(ctx, { path: source, size })))).map(
        ({ member }) => member.name,
      );
  }
}

export const FA_archive_formats = command('FA_archive_formats', () => [...formats]);

/** Links count as what is never unpacked: the other formats have none, and one rule holds for all of them. */
async function* withoutLinks(members: AsyncIterable<Member>): AsyncGenerator<Member, void> {
  for await (const member of members) yield isLink(member) ? { ...member, kind: 'other' } : member;
}

function isLink({ kind }: Member): boolean {
  return kind === 'symlink' || kind === 'hard-link';
}
