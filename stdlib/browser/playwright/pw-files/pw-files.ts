import { basename, extname, resolve } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { downloadBroken, downloadNotSeen } from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

import { digestOf } from '../../download-digest.ts';
import { uploadable } from '../../uploadable.ts';

export const WR_pw_upload_file = command('WR_pw_upload_file', async ({ input_selector, file_path }, ctx) => {
  const path = await uploadable(ctx, file_path);
  await ctx.playwright.session.only(ctx, input_selector, (target) =>
    target.setInputFiles(path, { signal: ctx.signal }),
  );
});

export const WR_pw_download_file = command('WR_pw_download_file', async ({ selector, directory, timeout }, ctx) => {
  const downloaded = await ctx.playwright.session.download(ctx, selector, timeout * 1000);
  if (downloaded === undefined) throw downloadNotSeen({ directory, seconds: timeout, what: 'file' });
  const { name: given, reason, content } = downloaded;
  const name = fileNameOf(given);
  if (reason !== undefined) throw downloadBroken({ name, reason });
  const path = await freePath(ctx, resolve(ctx.folders.cwd, directory), name);
  await ctx.files.writeStream(path, await content(), { parents: true, durable: ctx.durable, signal: ctx.signal });
  return { path, name, ...(await digestOf(ctx, path)) };
});

/** The last part of a name that a page gave, whatever separates its parts. */
function fileNameOf(given: string): string {
  const name = basename(given.replaceAll('\\', '/'));
  return ['', '.', '..'].includes(name) ? 'download' : name;
}

async function freePath(ctx: Base & Pick<Ports, 'files'>, folder: string, name: string): Promise<string> {
  const ending = extname(name);
  const stem = name.slice(0, name.length - ending.length);
  for (let count = 0; ; count += 1) {
    const path = resolve(folder, count === 0 ? name : `${stem} (${count})${ending}`);
    if (!(await ctx.files.find(path))) return path;
  }
}
