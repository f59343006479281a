import type { LookupFunction } from 'node:net';

import { Capabilities } from 'selenium-webdriver/lib/capabilities.js';
import { Executor } from 'selenium-webdriver/lib/http.js';
import { WebDriver } from 'selenium-webdriver/lib/webdriver.js';

import { BROWSER_START_MS } from '#schemas/generated/settings.ts';
import { browserNotStarted, browserStartTimeout, remoteBrowserRefused } from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Json } from '#schemas/types/json.ts';

import { requireDisplay } from '../browsers/display.ts';
import { findBrowser, findDriver } from '../browsers/find-browser.ts';
import type { Surroundings } from '../browsers/find-browser.ts';
import { knownBrowsers } from '../browsers/known-browsers.ts';
import type { BrowserName } from '../browsers/known-browsers.ts';
import type { WayOut } from '../browsers/only-way-out.ts';
import { abortable } from '../shared/abortable.ts';
import { Bidi } from './bidi.ts';
import { browserEnded } from './browser-watch.ts';
import { capabilitiesFor, isVisible } from './capabilities.ts';
import type { StartOptions } from './capabilities.ts';
import { DriverClient } from './driver-client.ts';
import { startDriverProcess } from './driver-process.ts';
import type { DriverProcess } from './driver-process.ts';
import { reasonOf } from './failure-of.ts';
import type { Values } from './port.ts';
import { WebDriverBrowserSession } from './session.ts';
import type { SessionParts } from './door.ts';

/** Longest time (ms) after a start has failed in which a hub may still grant the session. */
const lateMs = 300_000;

/** Surroundings, and what hides the secrets of the run. */
type Around = Surroundings & Pick<SessionParts, 'masked'>;

export interface Started {
  readonly session: WebDriverBrowserSession;
  readonly sandboxOff: boolean;
}

export interface LocalStart extends Omit<StartOptions, 'proxyPort'> {
  /** The browser's only way out. */
  readonly proxy: WayOut | undefined;
}

/** Starts a driver and a browser of this machine. Whatever fails, nothing of them is left. */
export async function startLocalSession(
  name: BrowserName,
  { proxy, ...given }: LocalStart,
  around: Around,
  signal: AbortSignal,
): Promise<Started> {
  const options: StartOptions = { ...given, ...(proxy && { proxyPort: proxy.port }) };
  const known = knownBrowsers[name];
  // Options that the browser cannot take are refused before anything is looked for.
  capabilitiesFor(name, undefined, options, around);
  if (isVisible(around)) requireDisplay(around.host);
  const driver = await findDriver(name, around);
  const attached = options.experimental?.['debuggerAddress'] !== undefined;
  const binary = known.commands.length === 0 || attached ? undefined : await findBrowser(name, around);
  const asked = capabilitiesFor(name, binary, options, around);
  const limit = startLimit(around, signal);
  let process: DriverProcess | undefined;
  try {
    process = await startDriverProcess(name, driver, around, limit);
    const { address } = process;
    const session = await unlessBrowserEnds(process, asked.piped, (until) =>
      newSession({ address }, asked.capabilities, around, AbortSignal.any([limit, until]), {
        process,
        proxy,
        hasWholeLog: asked.hasWholeLog,
      }),
    );
    return { session, sandboxOff: asked.sandboxOff };
  } catch (error) {
    const ended = process?.ended;
    await process?.stop(0);
    signal.throwIfAborted();
    if (error instanceof Failure) throw error;
    if (limit.aborted)
      throw browserStartTimeout({ browser: known.title, seconds: limitMs(around) / 1000, cause: error });
    const reason = ended ?? (error instanceof Error ? reasonOf(error) : String(error));
    throw browserNotStarted({ browser: known.title, reason, cause: error });
  }
}

/** Over a pipe a driver waits on for a browser that has ended: then the work is cancelled with that reason. */
async function unlessBrowserEnds<T>(
  process: DriverProcess,
  piped: boolean,
  work: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  const watch = new AbortController();
  const failed = new AbortController();
  if (piped && process.pid !== undefined)
    browserEnded(process.pid, watch.signal).catch((reason: unknown) => failed.abort(reason));
  try {
    return await work(failed.signal);
  } finally {
    watch.abort();
  }
}

/** A session that a hub may still grant when nobody waits for it any more; it costs as long as it lives. */
export interface LateSession {
  /** Resolves when the session was closed, or was never granted. */
  readonly closed: Promise<unknown>;
  /** Hangs up. */
  drop(): void;
}

export interface RemoteStart {
  readonly hub: HubAddress;
  readonly capabilities: Values;
  /** Takes over what is still under way when the start fails. */
  readonly leave: (late: LateSession) => void;
}

/** Opens a session on a hub. The hub's address is in no message: it may hold a key. */
export async function startRemoteSession(
  { hub, capabilities, leave }: RemoteStart,
  around: Around,
  signal: AbortSignal,
): Promise<WebDriverBrowserSession> {
  const limit = startLimit(around, signal);
  try {
    return await newSession(hub, capabilities, around, limit, { leave });
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) throw browserStartTimeout({ browser: 'The remote browser', seconds: limitMs(around) / 1000 });
    throw remoteBrowserRefused({
      reason: error instanceof Error ? reasonOf(error).replaceAll(hub.address, 'the hub') : 'no reason was given',
    });
  }
}

/** Address of a driver, and the way to look up its name where that is not everybody's way. */
export interface HubAddress {
  readonly address: string;
  readonly lookup?: LookupFunction;
}

/** Parts of a session that is not on a hub. */
interface Own {
  readonly process?: DriverProcess | undefined;
  readonly proxy?: WayOut | undefined;
  readonly hasWholeLog?: boolean;
  readonly leave?: RemoteStart['leave'];
}

async function newSession(
  { address, lookup }: HubAddress,
  capabilities: Values,
  around: Around,
  signal: AbortSignal,
  { process, proxy, hasWholeLog = true, leave }: Own,
): Promise<WebDriverBrowserSession> {
  let session: WebDriverBrowserSession | undefined;
  const client = new DriverClient(address, () => session?.limitMs ?? limitMs(around) + lateMs, lookup);
  let late: WebDriver | undefined;
  try {
    const executor = new Executor(client);
    executor.defineCommand('executeCdpCommand', 'POST', '/session/:sessionId/goog/cdp/execute');
    executor.defineCommand('install addon', 'POST', '/session/:sessionId/moz/addon/install');
    const driver = WebDriver.createSession(executor, new Capabilities(capabilities));
    late = driver;
    const opened = await abortable(driver.getSession(), signal);
    const granted = Object.fromEntries(
      [...opened.getCapabilities().keys()].map((key) => [key, opened.getCapability(key) as Json]),
    );
    const channel = process && granted['webSocketUrl'];
    const bidi = typeof channel === 'string' ? await abortable(Bidi.open(channel, signal), signal) : undefined;
    session = new WebDriverBrowserSession({
      driver,
      ...(bidi ? { bidi } : {}),
      id: opened.getId(),
      capabilities: granted,
      settings: around.settings,
      masked: around.masked,
      now: () => around.host.clock.monotonic(),
      sleep: (ms, until) => around.host.clock.sleep(ms, until),
      ...(process ? { process } : {}),
      ...(proxy ? { proxy } : {}),
      hasWholeLog,
      close: () => client.close(),
    });
    return session;
  } catch (error) {
    if (late && leave && signal.aborted) leave({ closed: quitLate(late, client), drop: () => client.close() });
    else client.close();
    throw error;
  }
}

/** Waits for a session only to close it. */
async function quitLate(driver: WebDriver, client: DriverClient): Promise<void> {
  try {
    await driver.quit();
  } catch {
    // It was refused, or the hub was hung up on.
  } finally {
    client.close();
  }
}

function startLimit(around: Surroundings, signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(limitMs(around))]);
}

function limitMs({ settings }: Surroundings): number {
  return settings.limits?.browser_start_ms ?? BROWSER_START_MS;
}
