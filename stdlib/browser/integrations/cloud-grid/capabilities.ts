import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { Grid } from './grids.ts';

type Text = string | null;

export interface FirstGrid {
  readonly browser_name: string;
  readonly browser_version: string;
  readonly os_name: string;
  readonly os_version: string;
  readonly project: Text;
  readonly build: Text;
  readonly name: Text;
}

export interface OtherGrid {
  readonly browser_name: string;
  readonly browser_version: string;
  readonly platform_name: string;
  readonly build: Text;
  readonly name: Text;
}

/** Operating system and labels stand in the block of the provider. */
export function ofFirstGrid({ options }: Grid, given: FirstGrid): JsonObject {
  const { browser_name: browserName, browser_version: browserVersion, os_name: os, os_version: osVersion } = given;
  const labels = { projectName: given.project, buildName: given.build, sessionName: given.name };
  return { browserName, browserVersion, [options]: filled({ os, osVersion, ...labels }) };
}

/** The platform is a standard capability; the block is there even when it is empty. */
export function ofOtherGrid({ options }: Grid, given: OtherGrid): JsonObject {
  const { browser_name: browserName, browser_version: browserVersion, platform_name: platformName } = given;
  const { build, name } = given;
  return { browserName, browserVersion, platformName, [options]: filled({ build, name }) };
}

function filled(block: Readonly<Record<string, Text>>): Record<string, Json> {
  return Object.fromEntries(Object.entries(block).filter(([, value]) => value !== null && value !== ''));
}
