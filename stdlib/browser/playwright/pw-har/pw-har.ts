import { resolve } from 'node:path';

import { archiveUnusable } from '#schemas/generated/failures.ts';
import { command, type Context } from '#stdlib/command.ts';

import { replayable } from './replayable.ts';

/** The most members of a packed archive: one for each body. */
const mostMembers = 100_000;

export const WR_pw_start_har_recording = command('WR_pw_start_har_recording', async ({ har_path, content }, ctx) => {
  const path = resolve(ctx.folders.cwd, har_path);
  await ctx.playwright.session.reshape(ctx, { archive: { path, content } });
});

export const WR_pw_replay_har = command('WR_pw_replay_har', async ({ har_path, url_pattern, not_found }, ctx) => {
  const bodiless = replayable(har_path, await textOf(har_path, ctx));
  if (bodiless)
    ctx.playwright.warn(
      `${bodiless.count} of ${bodiless.of} answers in "${har_path}" were recorded without their bodies, and will be empty: "${bodiless.first}" is the first of them.`,
    );
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

/** The text of an archive, out of its ZIP where it stands in one. */
async function textOf(path: string, ctx: Context<'WR_pw_replay_har'>): Promise<string> {
  if (!path.endsWith('.zip')) return new TextDecoder().decode(await ctx.files.read(path));
  const packed = await ctx.zip.open(resolve(ctx.folders.cwd, path), { entries: mostMembers });
  try {
    const member = packed.members.find(({ name }) => name.endsWith('.har'));
    if (!member) throw archiveUnusable({ path, reason: 'no member of it ends in ".har"' });
    const decoder = new TextDecoder();
    let text = '';
    for await (const piece of member.content({ password: undefined, signal: ctx.signal }))
      text += decoder.decode(piece, { stream: true });
    return text + decoder.decode();
  } finally {
    await packed.close();
  }
}
