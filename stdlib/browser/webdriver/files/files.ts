import { downloadBroken, downloadNotSeen, elementNotReady } from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

import { locatorFor, nameOf as nameOfLocator } from '../../engines/test-objects/locator.ts';
import { digestOf } from '../../download-digest.ts';
import { uploadable } from '../../uploadable.ts';
import { filesIn, isUnfinished, nameOf, newest, type SeenFile } from './downloads.ts';

export const WR_upload_file = command('WR_upload_file', async ({ input_selector, file_path }, ctx) => {
  const path = await uploadable(ctx, file_path);
  const session = ctx.webdriver.current;
  const locator = locatorFor(input_selector);
  const input = await session.locate(ctx, locator);
  const selector = nameOfLocator(locator);
  // Into any other field the driver would type the path.
  const type = await session.run(ctx, () => input.getProperty('type'), { selector });
  if (type !== 'file') throw elementNotReady({ selector, reason: 'no file can be put into it' });
  await session.run(ctx, () => input.sendKeys(path), { selector });
});

export const WR_wait_for_download = command(
  'WR_wait_for_download',
  async ({ directory, timeout, suffix, poll_seconds, before }, ctx) => {
    const end = ctx.clock.monotonic() + timeout * 1000;
    const known = new Set(before ?? (await filesIn(ctx, directory)).map(({ path }) => path));
    for (let last: SeenFile | undefined; ;) {
      const files = await filesIn(ctx, directory);
      const found = newest(files, known, suffix ?? '');
      // A file whose size stands still from one look to the next is finished.
      if (found && last?.path === found.path && last.size === found.size) {
        await digestOf(ctx, found.path);
        return found.path;
      }
      last = found;
      const left = end - ctx.clock.monotonic();
      const coming = files.find((file) => !known.has(file.path) && isUnfinished(file));
      if (left <= 0 && coming)
        throw downloadBroken({ name: nameOf(coming), reason: `it was still coming after ${timeout} s` });
      if (left <= 0)
        throw downloadNotSeen({ directory, seconds: timeout, what: suffix ? `file that ends in "${suffix}"` : 'file' });
      await ctx.clock.sleep(Math.min(left, Math.max(poll_seconds * 1000, 10)), ctx.signal);
    }
  },
);

export const WR_list_new_downloads = command('WR_list_new_downloads', async ({ directory, before }, ctx) => {
  const known = new Set(before);
  return (await filesIn(ctx, directory)).filter((file) => !known.has(file.path) && !isUnfinished(file)).map(pathOf);
});

export const WR_snapshot_directory = command('WR_snapshot_directory', async ({ directory }, ctx) =>
  (await filesIn(ctx, directory)).map(pathOf),
);

function pathOf({ path }: SeenFile): string {
  return path;
}
