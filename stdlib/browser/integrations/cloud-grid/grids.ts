import type { Provider } from '#runtime/kernel/ports.ts';

export type GridName = 'cloudgrid1' | 'cloudgrid2' | 'cloudgrid3';

/** A provider of browsers: the capability that holds its own settings, and its hub. */
export interface Grid {
  readonly options: string;
  readonly hub: string;
}

/** Grids as the configuration says (`cloud_grids`), and as their providers have made them public. */
export type CloudGrids = Readonly<Record<GridName, Grid>>;

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly cloudGrids: CloudGrids;
  }
}

/** The literals that providers have chosen: everything else of this family is the same for all of them. */
const known: CloudGrids = {
  cloudgrid1: { options: 'bstack:options', hub: 'https://hub-cloud.browserstack.com/wd/hub' },
  cloudgrid2: { options: 'sauce:options', hub: 'https://ondemand.us-west-1.saucelabs.com:443/wd/hub' },
  cloudgrid3: { options: 'LT:Options', hub: 'https://hub.lambdatest.com/wd/hub' },
};

export const provider: Provider<'cloudGrids'> = {
  open({ settings: { cloud_grids: configured } }) {
    const grid = (name: GridName): Grid => ({ ...known[name], ...configured?.[name] });
    return { cloudgrid1: grid('cloudgrid1'), cloudgrid2: grid('cloudgrid2'), cloudgrid3: grid('cloudgrid3') };
  },
};
