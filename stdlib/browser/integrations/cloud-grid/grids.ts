/** A provider of browsers: the capability that holds its own settings, and its public hub. */
interface Grid {
  readonly options: string;
  readonly hub: string;
}

/** The literals that providers have chosen: everything else of this family is the same for all of them. */
export const grids = {
  cloudgrid1: { options: 'bstack:options', hub: 'https://hub-cloud.browserstack.com/wd/hub' },
  cloudgrid2: { options: 'sauce:options', hub: 'https://ondemand.us-west-1.saucelabs.com:443/wd/hub' },
  cloudgrid3: { options: 'LT:Options', hub: 'https://hub.lambdatest.com/wd/hub' },
} as const satisfies Readonly<Record<string, Grid>>;
