import { resolve } from 'node:path';

import type { Browser, BrowserContext, BrowserType, LaunchOptions } from 'playwright-core';

import { inCamelCase } from '#grammar/browser-start/names-program.ts';
import type { PortContext } from '#runtime/kernel/ports.ts';
import { BROWSER_CLOSE_MS, BROWSER_START_MS } from '#schemas/generated/settings.ts';
import type { AdoptedProcess } from '#schemas/types/host.ts';
import {
  browserNotAnswering,
  browserNotFound,
  browserNotStarted,
  browserStartTimeout,
  playwrightMissing,
} from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';

import { requireDisplay } from '../browsers/display.ts';
import { findBrowser } from '../browsers/find-browser.ts';
import { heldSwitches } from '../browsers/only-way-out.ts';
import type { WayOut } from '../browsers/only-way-out.ts';
import { hasSwitch, mustRunWithoutSandbox, sandboxNotice } from '../browsers/switches.ts';
import { abortable, within } from '../shared/abortable.ts';
import { holdsSockets } from '../shared/socket-paths.ts';
import { reasonOf } from './failure-of.ts';
import { installedBrowser } from './installed-browser.ts';
import { makeOwnFolder } from './own-folder.ts';
import type { OwnFolder } from './own-folder.ts';
import { plain } from './plain.ts';
import type { Launch } from './port.ts';

const titles = { chromium: 'Chromium', firefox: 'Firefox', webkit: 'WebKit' } as const;

export interface Launched {
  readonly name: Launch['browser'];
  /** Absent where the context has a profile of its own: it is its browser then. */
  readonly browser: Browser | undefined;
  /** Another one when the session takes another shape. */
  context: BrowserContext;
  /** The browser's process, so that it can be ended when nothing answers; absent where the library does not say. */
  readonly process?: AdoptedProcess;
  /** Its only way out, where the run has denied private places. */
  readonly proxy?: WayOut;
  readonly folder: OwnFolder;
}

type Started = Pick<Launched, 'name' | 'browser' | 'context'>;
type Around = Pick<PortContext, 'host' | 'settings' | 'notice'>;

/** Starts a browser with one context. Whatever fails, or comes after the signal was aborted, is closed again. */
export async function launchBrowser(
  wanted: Launch,
  context: Around,
  signal: AbortSignal,
  proxy?: WayOut,
): Promise<Launched> {
  const type = await browserType(wanted.browser);
  const asked = await launchOptions(wanted, type, context);
  const options = proxy ? { ...asked, args: [...heldSwitches(asked.args ?? [], proxy.port)] } : asked;
  const folder = await makeOwnFolder(context.host);
  // The library tells of the browser's process when it answers: until then it is known by its profile.
  const known = context.host.processes.expect(
    wanted.profile === undefined ? `${folder.path}/` : `--user-data-dir=${resolve(context.host.cwd, wanted.profile)}`,
  );
  const starting = folder.within(() => start(type, { ...options, ...placedIn(folder, options, context) }, wanted));
  const heldNow = (started: Started): Launched => {
    const launched = held({ ...started, folder }, context);
    known();
    return launched;
  };
  try {
    return { ...heldNow(await abortable(starting, signal)), ...(proxy && { proxy }) };
  } catch (error) {
    void starting.then(
      (late) => end(heldNow(late), BROWSER_CLOSE_MS),
      () => folder.remove().finally(known),
    );
    signal.throwIfAborted();
    throw startFailure(plain(error), wanted.browser, options.timeout ?? BROWSER_START_MS);
  }
}

/** Options that put everything which the library and the browser write beside pages into the own folder. */
function placedIn({ path }: OwnFolder, { env }: LaunchOptions, { host }: Around): LaunchOptions {
  if (host.platform !== 'linux' || !holdsSockets(path)) return { artifactsDir: path };
  return { artifactsDir: path, env: { ...(env ?? process.env), TMPDIR: path } };
}

/**
 * Closes a browser in order, and by force what has not closed after `graceMs`. Resolves with what went wrong on the
 * way.
 */
export async function end(launched: Launched, graceMs: number): Promise<unknown> {
  const closing = closeAll(launched).then(
    () => ({ trouble: undefined }),
    (trouble: unknown) => ({ trouble }),
  );
  const outcome = await within(closing, graceMs);
  // A closed process is gone; its number may be another's by now.
  if (!outcome || outcome.trouble !== undefined) launched.process?.kill();
  launched.process?.release();
  await launched.folder.remove();
  return outcome ? outcome.trouble : browserNotAnswering({ seconds: graceMs / 1000 });
}

async function closeAll({ browser, context }: Launched): Promise<void> {
  // The context first: only that writes a network archive.
  await context.close();
  await browser?.close();
}

function held(launched: Launched, { host }: Around): Launched {
  const pid = processOf(launched.browser ?? launched.context.browser());
  return pid === undefined ? launched : { ...launched, process: host.processes.adopt(pid) };
}

/** The library tells of processes only behind its public face. A test holds it to that. */
function processOf(browser: Browser | null): number | undefined {
  const behind = browser as unknown as BehindBrowser | null;
  return behind?._connection?.toImpl?.(behind)?.options?.browserProcess?.process?.pid;
}

interface BehindBrowser {
  readonly _connection?: {
    readonly toImpl?: (browser: BehindBrowser) => {
      readonly options?: { readonly browserProcess?: { readonly process?: { readonly pid?: number } } };
    };
  };
}

async function start(
  type: BrowserType,
  options: LaunchOptions,
  { browser: name, archive, profile }: Launch,
): Promise<Started> {
  const recording = archive ? { recordHar: archive } : {};
  if (profile !== undefined)
    return {
      name,
      browser: undefined,
      context: await type.launchPersistentContext(profile, { ...options, ...recording }),
    };
  const browser = await type.launch(options);
  try {
    return { name, browser, context: await browser.newContext(recording) };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function browserType(name: Launch['browser']): Promise<BrowserType> {
  try {
    return (await import('playwright-core'))[name];
  } catch (cause) {
    throw playwrightMissing({ cause });
  }
}

async function launchOptions(wanted: Launch, type: BrowserType, context: Around): Promise<LaunchOptions> {
  const { host, settings } = context;
  const own: LaunchOptions = Object.fromEntries(
    Object.entries(wanted.options).map(([name, value]) => [inCamelCase(name), value]),
  );
  const args = [...(wanted.browser === 'chromium' ? (settings.browser?.args ?? []) : []), ...(own.args ?? [])];
  const sandboxOff = wanted.browser === 'chromium' && mustRunWithoutSandbox(host);
  if (sandboxOff && !hasSwitch(args, '--no-sandbox')) context.notice('info', sandboxNotice());
  // The one who starts the run decides (`--headed`, configuration).
  const headless = settings.browser?.headless ?? wanted.headless;
  if (!headless) requireDisplay(host);
  const slowMo = settings.browser?.slow_mo_ms ?? own.slowMo;
  return {
    chromiumSandbox: wanted.browser === 'chromium' && !sandboxOff,
    ...own,
    args,
    headless,
    ...(slowMo === undefined ? {} : { slowMo }),
    timeout: startMs(own, settings),
    ...(await executable(wanted.browser, own, type, context)),
    // A signal ends the run in order, and that closes the browser.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  };
}

async function executable(
  name: Launch['browser'],
  own: LaunchOptions,
  type: BrowserType,
  { host, settings }: Around,
): Promise<LaunchOptions> {
  if (own.executablePath !== undefined || own.channel !== undefined) return {};
  if (name === 'chromium') {
    const own = async (): Promise<string | undefined> => (await installedBrowser(type, host)).path;
    return { executablePath: await findBrowser('chromium', { host, settings }, own) };
  }
  const { path, isThere } = await installedBrowser(type, host);
  if (!isThere)
    throw browserNotFound({
      browser: `${titles[name]} of Playwright`,
      places: path ?? 'no place for this system',
      install: `\`npx playwright-core install ${name}\``,
    });
  return {};
}

/** A start without a limit of its own would hang for ever. */
function startMs({ timeout = 0 }: LaunchOptions, settings: PortContext['settings']): number {
  return timeout > 0 ? timeout : (settings.limits?.browser_start_ms ?? BROWSER_START_MS);
}

function startFailure(error: unknown, name: Launch['browser'], limitMs: number): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const browser = titles[name];
  if (error.name === 'TimeoutError') return browserStartTimeout({ browser, seconds: limitMs / 1000, cause: error });
  return browserNotStarted({ browser, reason: lastWords(error) ?? reasonOf(error), cause: error });
}

/** Last line of a browser before it ended: the library only says that it is closed. */
function lastWords(error: Error): string | undefined {
  if (!/has been closed/.test(error.message)) return undefined;
  const written = [...error.message.matchAll(/\[err\] (.+)/g)].at(-1)?.[1];
  return written?.trim() ?? 'it ended right after its start';
}
