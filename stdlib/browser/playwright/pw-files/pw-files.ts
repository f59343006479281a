import { command } from '#stdlib/command.ts';

import { uploadable } from '../../uploadable.ts';

export const WR_pw_upload_file = command('WR_pw_upload_file', async ({ input_selector, file_path }, ctx) => {
  const path = await uploadable(ctx, file_path);
  await ctx.playwright.session.element(ctx, input_selector, (target) =>
    target.setInputFiles(path, { signal: ctx.signal }),
  );
});
