import type { Base } from '#runtime/kernel/ports.ts';
import { command } from '#stdlib/command.ts';

import type { NewSession } from '../../engines/webdriver/port.ts';
import { checkSession } from './session-facts.ts';

export const WR_new_driver = command('WR_new_driver', async (params, ctx) => {
  await ctx.webdriver.start(ctx, params.webdriver_name, startOf(params));
});

export const WR_set_driver = command('WR_set_driver', (params, ctx) =>
  ctx.webdriver.start(ctx, params.webdriver_name, startOf(params)).then((session) => session.ref),
);

export const WR_change_index_of_webdriver = command('WR_change_index_of_webdriver', ({ index_of_webdriver }, ctx) =>
  ctx.webdriver.choose(index_of_webdriver),
);

export const WR_check_current_webdriver = command('WR_check_current_webdriver', ({ check_dict }, ctx) =>
  checkSession(ctx.webdriver.current, ctx, check_dict),
);

export const WR_quit_all = command('WR_quit_all', async (_, ctx) => {
  ctx.testObjects.clear();
  await ctx.webdriver.quitAll();
});

export const WR_quit_current = command('WR_quit_current', async (_, ctx) => {
  ctx.testObjects.clear();
  await ctx.webdriver.quit();
});

export const WR_start_remote_driver = command(
  'WR_start_remote_driver',
  async ({ hub_url, capabilities, register }, ctx) => {
    hideKey(hub_url, ctx);
    return (await ctx.webdriver.connect(ctx, hub_url, capabilities, register)).ref;
  },
);

export const WR_set_webdriver_options_capability = command(
  'WR_set_webdriver_options_capability',
  ({ key_and_vale_dict }, ctx) => ctx.webdriver.prepare(key_and_vale_dict),
);

export const WR_chrome_options_with_extension = command(
  'WR_chrome_options_with_extension',
  ({ crx_or_dir, options }, ctx) => ctx.webdriver.optionsWithExtension(crx_or_dir, options ?? {}),
);

type StartParams = { readonly [Key in keyof NewSession]?: NewSession[Key] | null | undefined };

function startOf({ options, experimental_options, extension_paths, enable_bidi }: StartParams): NewSession {
  return {
    options: options ?? [],
    experimental_options: experimental_options ?? undefined,
    extension_paths: extension_paths ?? [],
    enable_bidi: enable_bidi ?? false,
  };
}

/** User and key of a hub stand in its address. */
function hideKey(hub: string, ctx: Base): void {
  if (!URL.canParse(hub)) return;
  const { username, password } = new URL(hub);
  for (const part of [username, password]) if (part !== '') ctx.mask(decodeURIComponent(part));
}
