import { resolve } from 'node:path';

import { archiveUnusable } from '#schemas/generated/failures.ts';
import { isList, isObject } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

export const WR_pw_start_har_recording = command('WR_pw_start_har_recording', async ({ har_path, content }, ctx) => {
  const path = resolve(ctx.folders.cwd, har_path);
  await ctx.playwright.session.reshape(ctx, { archive: { path, content } });
});

export const WR_pw_replay_har = command('WR_pw_replay_har', async ({ har_path, url_pattern, not_found }, ctx) => {
  if (!har_path.endsWith('.zip')) checkArchive(har_path, new TextDecoder().decode(await ctx.files.read(har_path)));
  const path = resolve(ctx.folders.cwd, har_path);
  await ctx.playwright.session.mock(ctx, url_pattern, { archive: path, notFound: not_found });
});

export const WR_pw_stop_har_recording = command('WR_pw_stop_har_recording', async (_, ctx) => {
  const { session } = ctx.playwright;
  if (session.archive === undefined) return null;
  const path = await session.reshape(ctx, { archive: undefined });
  if (path !== null) ctx.attach({ kind: 'file', name: 'network archive', path });
  return path;
});

function checkArchive(path: string, text: string): void {
  let archive: unknown;
  try {
    archive = JSON.parse(text);
  } catch (cause) {
    throw archiveUnusable({ path, reason: 'it is no JSON', cause });
  }
  const log = isObject(archive) ? archive['log'] : undefined;
  if (!isObject(log) || !isList(log['entries'])) throw archiveUnusable({ path, reason: 'it has no "log.entries"' });
}
