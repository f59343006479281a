import { percentDecoded } from '#grammar/source/percent-decoded.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

export const WR_mobile_android_caps = command('WR_mobile_android_caps', ({ extra, ...app }) => ({
  platformName: 'Android',
  ...prefixed(app),
  ...extra,
}));

export const WR_mobile_ios_caps = command('WR_mobile_ios_caps', ({ extra, ...app }) => ({
  platformName: 'iOS',
  ...prefixed(app),
  ...extra,
}));

export const WR_mobile_start = command('WR_mobile_start', async ({ server_url, capabilities, register }, ctx) => {
  const password = URL.parse(server_url)?.password;
  if (password) ctx.mask(percentDecoded(password));
  return (await ctx.webdriver.connect(ctx, server_url, capabilities, register)).ref;
});

export const WR_mobile_quit = command('WR_mobile_quit', async (_, ctx) => {
  if (ctx.webdriver.sessions.length === 0) return;
  const { current } = ctx.webdriver;
  if (!isMobile(current.capabilities)) throw fail.sessionNotMobile({ browser: current.browser });
  await ctx.webdriver.quit();
});

const PREFIX = 'appium:';

interface App {
  readonly app: string;
  readonly device_name: string;
  readonly platform_version: string;
  readonly automation_name: string;
}

function prefixed({ app, device_name, platform_version, automation_name }: App): JsonObject {
  return {
    [`${PREFIX}platformVersion`]: platform_version,
    [`${PREFIX}deviceName`]: device_name,
    [`${PREFIX}app`]: app,
    [`${PREFIX}automationName`]: automation_name,
  };
}

function isMobile(capabilities: JsonObject): boolean {
  const platform = capabilities['platformName'];
  return (
    (typeof platform === 'string' && /^(?:android|ios|ipados|tvos)$/i.test(platform)) ||
    Object.keys(capabilities).some((name) => name.startsWith(PREFIX))
  );
}
