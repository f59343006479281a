import { constants, existsSync, readFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

import { catalogue } from '#compiler/catalogue.ts';
import { projectRoot } from '#compiler/reader.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import { portFacts } from '#schemas/generated/port-facts.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Host } from '#schemas/types/host.ts';
import { findBrowser, findDriver } from '#stdlib/browser/engines/browsers/find-browser.ts';
import { installedBrowsers } from '#stdlib/browser/engines/playwright/installed-browser.ts';

import { readConfiguration } from './configuration/read-configuration.ts';

export interface Finding {
  readonly what: string;
  /** `missing`: some commands cannot run; `broken`: nothing can. */
  readonly state: 'ok' | 'missing' | 'broken';
  /** Path of the thing that was found, or the reason why it is missing. */
  readonly detail: string;
  /** Consequence of the finding, and how to mend it. */
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
    return {
      what: 'working directory',
      state: 'missing',
      detail: `${folder} cannot be written`,
      meaning: 'State and reports go to the cache folder of the user.',
    };
  }
}

/** The configuration of the project that a folder belongs to, and what it sets. */
export async function configurationFinding(
  folder: string,
  host: Host,
): Promise<Finding & { readonly settings: Settings }> {
  const root = await projectRoot(join(folder, 'x'), host);
  try {
    const { settings, file } = await readConfiguration(root, host.files);
    return { what: 'configuration', state: 'ok', detail: file ?? 'none: everything has its default', settings };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return {
      what: 'configuration',
      state: 'broken',
      detail: error.message,
      meaning: 'No verb that takes files works until it is mended.',
      settings: { gates: {} },
    };
  }
}

/** Browsers and their drivers, where the settings and the machine have them, with their versions. */
export async function browserFindings(host: Host, settings: Settings, mayStart = false): Promise<readonly Finding[]> {
  const around = { host, settings, mayStart };
  return [...(await chromiumFindings(around)), ...(await firefoxFindings(around)), await playwrightFinding()];
}

async function chromiumFindings(around: Around): Promise<readonly Finding[]> {
  const browser =
    'Install Chromium (Debian: chromium; macOS: brew install --cask chromium), or set CHROME_BIN or browser.executable_path.';
  const driver =
    'Install it (Debian: chromium-driver; macOS: brew install chromedriver), or set CHROMEDRIVER or browser.driver_path.';
  const chromium = await look(
    'Chromium',
    () => findBrowser('chromium', around),
    `Commands of the browser cannot run. ${browser}`,
    around,
  );
  const chromeDriver = await look(
    'ChromeDriver',
    () => findDriver('chromium', around),
    `WebDriver commands (WR_ without pw_) cannot run. ${driver}`,
    around,
  );
  const [wanted, given] = [majorOf(chromium), majorOf(chromeDriver)];
  if (wanted === undefined || given === undefined || wanted === given) return [chromium, chromeDriver];
  const meaning = `It drives Chromium ${given}, not ${wanted}: WebDriver commands cannot open a session. Install the one that belongs to the browser.`;
  return [chromium, { ...chromeDriver, state: 'missing', meaning }];
}

/** Firefox and geckodriver: without it Firefox speaks BiDi alone, and WebDriver sessions begin over HTTP. */
async function firefoxFindings(around: Around): Promise<readonly Finding[]> {
  return [
    await look(
      'Firefox',
      () => findBrowser('firefox', around),
      'Only files that choose Firefox need it. Install it (Debian: firefox-esr; macOS: brew install --cask firefox), or set FIREFOX_BIN.',
      around,
    ),
    await look(
      'geckodriver',
      () => findDriver('firefox', around),
      'WebDriver commands cannot open Firefox: without it Firefox speaks BiDi alone, and sessions begin over HTTP. Get it (macOS: brew install geckodriver; else https://github.com/mozilla/geckodriver/releases), or set GECKODRIVER.',
      around,
    ),
  ];
}

async function playwrightFinding(): Promise<Finding> {
  const found = [...(await installedBrowsers())].map(([name, path]) => `${name} ${path}`);
  const what = 'browsers of Playwright';
  if (found.length > 0) return { what, state: 'ok', detail: found.join(', ') };
  const meaning =
    'WR_pw_ commands use Chromium above; its Firefox and WebKit are needed by files that choose them. Install them: npx playwright-core install firefox webkit';
  return { what, state: 'missing', detail: 'none installed', meaning };
}

interface Around {
  readonly host: Host;
  readonly settings: Settings;
  /** The gate `shell` was opened by whoever asks. */
  readonly mayStart: boolean;
}

async function look(
  what: string,
  find: () => Promise<string>,
  meaning: string,
  { host, settings: { browser }, mayStart }: Around,
): Promise<Finding> {
  try {
    const path = await find();
    // The configuration may be a stranger's: what it names is started by runs that may, and by nobody who only looks.
    const named = [browser?.executable_path, browser?.driver_path].some(
      (given) => given !== undefined && resolve(host.cwd, given) === path,
    );
    if (named && !mayStart)
      return { what, state: 'ok', detail: `${path}, named by the configuration and not started without --allow shell` };
    const version = await versionOf(path, host);
    return version === undefined
      ? { what, state: 'missing', detail: `${path} does not run`, meaning }
      : { what, state: 'ok', detail: `${version}, ${path}` };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { what, state: 'missing', detail: error.message, meaning };
  }
}

/** Version that a program gives for `--version`; undefined where it does not run. */
async function versionOf(path: string, { processes }: Host): Promise<string | undefined> {
  try {
    const { code, stdout } = await processes.run(path, ['--version'], { timeout_ms: 10_000, limit: 10_000 });
    const said = Buffer.from(stdout).toString('utf8');
    return code === 0 ? (/\d+(?:\.\d+)+/.exec(said)?.[0] ?? said.trim()) : undefined;
  } catch {
    return undefined;
  }
}

function majorOf({ state, detail }: Finding): string | undefined {
  return state === 'ok' ? /^\d+/.exec(detail)?.[0] : undefined;
}

/**
 * Packages that stay outside bundles and of which no file comes with this one, looked for in some folders, and the
 * commands that need them.
 */
export async function packageFindings(
  folders = createRequire(import.meta.url).resolve.paths('svc') ?? [],
): Promise<readonly Finding[]> {
  const users = Map.groupBy(
    Object.entries(portFacts).flatMap(([port, { externals, shipped }]) =>
      externals.filter((name) => !Object.hasOwn(shipped, name)).map((name) => ({ name, port })),
    ),
    ({ name }) => name,
  );
  const commands = await catalogue.all();
  return [...users].map(([name, entries]) => {
    const version = versionIn(folders, name);
    if (version !== undefined) return { what: name, state: 'ok', detail: version };
    const ports = new Set(entries.map(({ port }) => port));
    const needing = commands.filter(({ needs }) => needs.some((need) => ports.has(need))).map((each) => each.name);
    const meaning = `Needed by ${some(needing.length > 0 ? needing : [...ports])}. Install it: npm install ${name}`;
    return { what: name, state: 'missing', detail: 'not installed', meaning };
  });
}

/** Version of a package in the first of some folders that has it. Read as a file: many packages export it to nobody. */
function versionIn(folders: readonly string[], name: string): string | undefined {
  for (const folder of folders) {
    const file = join(folder, name, 'package.json');
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
  }
  return undefined;
}

/** The first names of a list, and the number of the others. */
function some(names: readonly string[]): string {
  if (names.length <= MOST_NAMES + 1) return names.join(', ');
  return `${names.slice(0, MOST_NAMES).join(', ')} and ${names.length - MOST_NAMES} others`;
}

/** Most commands that a line names. */
const MOST_NAMES = 3;
