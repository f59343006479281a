import { basename } from 'node:path';

import type { Settings } from '#runtime/kernel/ports.ts';
import { browserDriverNotFound, browserNotFound } from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

import { commandsOfChannel, knownBrowsers } from './known-browsers.ts';
import type { BrowserName, KnownBrowser, Pages } from './known-browsers.ts';
import { firstFile, searchPath } from './search-path.ts';

/** Surroundings of a search: a host, and the run part of the configuration. */
export interface Surroundings {
  readonly host: Host;
  readonly settings: Settings;
}

/** Playwright's own browser of that name, where it has installed one. */
export type PlaywrightsOwn = () => Promise<string | undefined>;

/**
 * The browser to start, in this order: configuration, variable of the environment, Playwright's own, usual names.
 * Nothing is downloaded. Fails with all the places where it looked. `own` is left out by WebDriver: the browsers that
 * Playwright installs come without a driver, and the one on PATH belongs to the browser on PATH.
 */
export async function findBrowser(name: BrowserName, around: Surroundings, own?: PlaywrightsOwn): Promise<string> {
  const known = knownBrowsers[name];
  const { host, settings } = around;
  const must = (path: string | undefined, places: readonly string[]): string => {
    if (path !== undefined) return path;
    const install = waysToInstall(known, host).browser;
    throw browserNotFound({ browser: known.title, places: places.join(', '), install });
  };
  const looked: string[] = [];
  const configured = settings.browser?.executable_path;
  if (configured !== undefined && isOf(configured, name))
    return must(await firstFile(host, [configured]), [configured]);
  const variable = known.browserVariable;
  const fromEnvironment = variable === undefined ? undefined : host.env[variable];
  if (fromEnvironment) return must(await firstFile(host, [fromEnvironment]), [`${variable}=${fromEnvironment}`]);
  if (variable !== undefined) looked.push(variable);
  const channel = settings.browser?.channel;
  const commands = channel !== undefined && known.chromium ? commandsOfChannel(channel) : known.commands;
  if (own && channel === undefined) {
    const installed = await own();
    if (installed !== undefined && (await firstFile(host, [installed]))) return installed;
    looked.push(installed ?? "Playwright's own");
  }
  const places = known.places[host.platform] ?? [];
  const found = searchPath(host, commands) ?? (await firstFile(host, places));
  return must(found, [...looked, ...commands, ...places]);
}

/** The driver of a browser, in the same order. */
export async function findDriver(name: BrowserName, { host, settings }: Surroundings): Promise<string> {
  const known = knownBrowsers[name];
  const configured = settings.browser?.driver_path;
  const given = configured !== undefined && isOf(configured, name) ? configured : undefined;
  const fromEnvironment = known.driverVariable === undefined ? undefined : host.env[known.driverVariable];
  const exact = given ?? (fromEnvironment || undefined);
  const found = exact === undefined ? searchPath(host, known.drivers) : await firstFile(host, [exact]);
  if (found !== undefined) return found;
  const looked =
    exact === undefined
      ? [...(known.driverVariable === undefined ? [] : [known.driverVariable]), ...known.drivers]
      : [exact];
  const install = waysToInstall(known, host).driver;
  throw browserDriverNotFound({ browser: known.title, places: looked.join(', '), install });
}

/** Ways to install the browser and its driver: a command, or a page where no package manager of the system has it. */
function waysToInstall({ install, pages }: KnownBrowser, { platform }: Host): Readonly<Record<keyof Pages, string>> {
  const commands = install[platform];
  const way = (what: keyof Pages): string => (commands?.[what] === undefined ? pages[what] : `\`${commands[what]}\``);
  return { browser: way('browser'), driver: way('driver') };
}

/** The configuration names one path for all browsers: it counts for those that it can belong to. */
function isOf(path: string, name: BrowserName): boolean {
  const file = basename(path).toLowerCase();
  const owner = /firefox|gecko/.test(file)
    ? 'firefox'
    : /safari/.test(file)
      ? 'safari'
      : /iedriver/.test(file)
        ? 'ie'
        : 'chromium';
  return knownBrowsers[name].chromium ? owner === 'chromium' : owner === name;
}
