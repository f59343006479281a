import { resolve } from 'node:path';

import { command } from '#stdlib/command.ts';

export const WR_pw_extension_args = command('WR_pw_extension_args', ({ extension_dir }, ctx) =>
  ctx.playwright.extensionSwitches(extension_dir),
);

export const WR_pw_launch = command(
  'WR_pw_launch',
  ({ browser, headless, record_har_path, record_har_content, user_data_dir, options }, ctx) =>
    ctx.playwright.launch(ctx, {
      browser,
      headless,
      archive:
        record_har_path == null
          ? undefined
          : { path: resolve(ctx.folders.cwd, record_har_path), content: record_har_content },
      profile: user_data_dir ?? undefined,
      options: options ?? {},
    }),
);

export const WR_pw_quit = command('WR_pw_quit', (_, ctx) => ctx.playwright.quit());
