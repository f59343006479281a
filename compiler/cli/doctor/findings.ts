import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';

import { ports } from '#schemas/generated/ports.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Host } from '#schemas/types/host.ts';
import { findBrowser, findDriver } from '#stdlib/browser/engines/browsers/find-browser.ts';

export interface Finding {
  readonly what: string;
  /** `missing`: some commands cannot run; `broken`: nothing can. */
  readonly state: 'ok' | 'missing' | 'broken';
  /** Where it is, or why it is not. */
  readonly detail: string;
  /** What follows from it, and how to mend it. */
  readonly meaning?: string;
}

const lowestNode = [22, 19] as const;

export function nodeFinding(given: string): Finding {
  const [major = 0, minor = 0] = given.slice(1).split('.').map(Number);
  const enough = major > lowestNode[0] || (major === lowestNode[0] && minor >= lowestNode[1]);
  if (enough) return { what: 'Node', state: 'ok', detail: given };
  return { what: 'Node', state: 'broken', detail: given, meaning: `svc needs Node ${lowestNode.join('.')} or newer.` };
}

export async function rootFinding(folder: string): Promise<Finding> {
  try {
    await access(folder, constants.W_OK);
    return { what: 'working directory', state: 'ok', detail: folder };
  } catch {
    return { what: 'working directory', state: 'missing', detail: `${folder} cannot be written`, meaning: 'State and reports go to the cache folder of the user.' };
  }
}

export async function browserFindings(host: Host): Promise<readonly Finding[]> {
  const around = { host, settings: { gates: {} } };
  const browser = 'Install Chromium (Debian: chromium; macOS: brew install --cask chromium), or set CHROME_BIN or browser.executable_path.';
  const driver = 'Install it (Debian: chromium-driver; macOS: brew install chromedriver), or set CHROMEDRIVER or browser.driver_path.';
  return [
    await look('Chromium', () => findBrowser('chromium', around), `Commands of the browser cannot run. ${browser}`),
    await look('ChromeDriver', () => findDriver('chromium', around), `WebDriver commands (WR_ without pw_) cannot run. ${driver}`),
  ];
}

async function look(what: string, find: () => Promise<string>, meaning: string): Promise<Finding> {
  try {
    return { what, state: 'ok', detail: await find() };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { what, state: 'missing', detail: error.message, meaning };
  }
}

/** Packages that stay outside bundles, by the ports that need them. */
export function packageFindings(): readonly Finding[] {
  const require = createRequire(import.meta.url);
  const users = Map.groupBy(
    Object.entries(ports).flatMap(([port, { externals }]) => externals.map((name) => ({ name, port }))),
    ({ name }) => name,
  );
  return [...users].map(([name, entries]) => {
    const needed = `Commands that need ${entries.map(({ port }) => port).join(', ')} cannot run. Install it: npm install ${name}`;
    try {
      const { version } = require(`${name}/package.json`) as { version: string };
      return { what: name, state: 'ok', detail: version };
    } catch {
      return { what: name, state: 'missing', detail: 'not installed', meaning: needed };
    }
  });
}
