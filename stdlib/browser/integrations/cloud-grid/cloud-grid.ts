import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

import { ofFirstGrid, ofOtherGrid } from './capabilities.ts';
import type { GridName } from './grids.ts';

export const WR_connect_cloudgrid1 = command('WR_connect_cloudgrid1', (params, ctx) =>
  connect('cloudgrid1', params, ctx),
);
export const WR_connect_cloudgrid2 = command('WR_connect_cloudgrid2', (params, ctx) =>
  connect('cloudgrid2', params, ctx),
);
export const WR_connect_cloudgrid3 = command('WR_connect_cloudgrid3', (params, ctx) =>
  connect('cloudgrid3', params, ctx),
);

export const WR_cloudgrid1_capabilities = command('WR_cloudgrid1_capabilities', ({ extra, ...given }, ctx) => ({
  ...ofFirstGrid(ctx.cloudGrids.cloudgrid1, given),
  ...extra,
}));
export const WR_cloudgrid2_capabilities = command('WR_cloudgrid2_capabilities', ({ extra, ...given }, ctx) => ({
  ...ofOtherGrid(ctx.cloudGrids.cloudgrid2, given),
  ...extra,
}));
export const WR_cloudgrid3_capabilities = command('WR_cloudgrid3_capabilities', ({ extra, ...given }, ctx) => ({
  ...ofOtherGrid(ctx.cloudGrids.cloudgrid3, given),
  ...extra,
}));

type GridContext = Base & Pick<Ports, 'webdriver' | 'cloudGrids'>;

interface Account {
  readonly username: string;
  readonly access_key: string;
  readonly capabilities: Readonly<Record<string, unknown>> | null;
  readonly hub_url: string | null;
}

/** A session in a browser of the provider; it becomes the current one. */
async function connect(
  grid: GridName,
  { username, access_key: key, capabilities, hub_url: hub }: Account,
  ctx: GridContext,
): Promise<Awaited<ReturnType<Ports['webdriver']['connect']>>['ref']> {
  const address = URL.parse(hub === null || hub === '' ? ctx.cloudGrids[grid].hub : hub);
  if (!address || !/^https?:$/.test(address.protocol)) throw fail.gridAddress({});
  address.username = encodeURIComponent(username);
  address.password = encodeURIComponent(key);
  for (const part of [address.username, address.password, address.href]) ctx.mask(part);
  const isGiven = capabilities !== null && Object.keys(capabilities).length > 0;
  return (await ctx.webdriver.connect(ctx, address.href, isGiven ? capabilities : usual(grid, ctx), true)).ref;
}

/** The capabilities of a call without parameters. */
function usual(name: GridName, { cloudGrids }: GridContext): JsonObject {
  const grid = cloudGrids[name];
  const labels = { build: null, name: null };
  if (name === 'cloudgrid1')
    return ofFirstGrid(grid, {
      ...{ browser_name: 'chrome', browser_version: 'latest', os_name: 'Windows', os_version: '11' },
      ...{ ...labels, project: null },
    });
  const browser_name = name === 'cloudgrid2' ? 'chrome' : 'Chrome';
  return ofOtherGrid(grid, { browser_name, browser_version: 'latest', platform_name: 'Windows 11', ...labels });
}
