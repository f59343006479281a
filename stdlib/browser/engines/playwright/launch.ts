import { access } from 'node:fs/promises';

import type { Browser, BrowserContext, BrowserType, LaunchOptions } from 'playwright-core';

import type { PortContext } from '#runtime/kernel/ports.ts';
import { BROWSER_START_MS } from '#schemas/generated/settings.ts';
import {
  browserNotFound,
  browserNotStarted,
  browserStartTimeout,
  playwrightMissing,
} from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';

import { requireDisplay } from '../browsers/display.ts';
import { findBrowser } from '../browsers/find-browser.ts';
import { hasSwitch, mustRunWithoutSandbox, sandboxNotice } from '../browsers/switches.ts';
import { abortable } from '../shared/abortable.ts';
import { reasonOf } from './failure-of.ts';
import { plain } from './plain.ts';
import type { Launch } from './port.ts';

const titles = { chromium: 'Chromium', firefox: 'Firefox', webkit: 'WebKit' } as const;

export interface Launched {
  /** Absent where the context has a profile of its own: it is its browser then. */
  readonly browser: Browser | undefined;
  readonly context: BrowserContext;
}

/** Starts a browser with one context. Whatever fails, or comes after the signal was aborted, is closed again. */
export async function launchBrowser(wanted: Launch, context: PortContext, signal: AbortSignal): Promise<Launched> {
  const type = await browserType(wanted.browser);
  const options = await launchOptions(wanted, type, context);
  const starting = start(type, options, wanted);
  try {
    return await abortable(starting, signal);
  } catch (error) {
    void starting.then(closeAll, () => undefined);
    signal.throwIfAborted();
    throw startFailure(plain(error), wanted.browser, options.timeout ?? BROWSER_START_MS);
  }
}

export async function closeAll({ browser, context }: Launched): Promise<void> {
  // The context first: only that writes a network archive.
  await context.close();
  await browser?.close();
}

async function start(type: BrowserType, options: LaunchOptions, { archive, profile }: Launch): Promise<Launched> {
  const recording = archive ? { recordHar: archive } : {};
  if (profile !== undefined)
    return { browser: undefined, context: await type.launchPersistentContext(profile, { ...options, ...recording }) };
  const browser = await type.launch(options);
  try {
    return { browser, context: await browser.newContext(recording) };
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

async function launchOptions(wanted: Launch, type: BrowserType, context: PortContext): Promise<LaunchOptions> {
  const { host, settings } = context;
  const own: LaunchOptions = Object.fromEntries(
    Object.entries(wanted.options).map(([name, value]) => [camelCase(name), value]),
  );
  const args = [...(wanted.browser === 'chromium' ? (settings.browser?.args ?? []) : []), ...(own.args ?? [])];
  const sandboxOff = wanted.browser === 'chromium' && mustRunWithoutSandbox(host);
  if (sandboxOff && !hasSwitch(args, '--no-sandbox')) context.notice('info', sandboxNotice());
  // Who starts the run decides (`--headed`, configuration).
  const headless = settings.browser?.headless ?? wanted.headless;
  if (!headless) requireDisplay(host);
  const slowMo = settings.browser?.slow_mo_ms ?? own.slowMo;
  return {
    timeout: settings.limits?.browser_start_ms ?? BROWSER_START_MS,
    chromiumSandbox: wanted.browser === 'chromium' && !sandboxOff,
    ...own,
    args,
    headless,
    ...(slowMo === undefined ? {} : { slowMo }),
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
  { host, settings }: PortContext,
): Promise<LaunchOptions> {
  if (own.executablePath !== undefined || own.channel !== undefined) return {};
  const installed = installedPath(type);
  if (name === 'chromium')
    return { executablePath: await findBrowser('chromium', { host, settings }, () => Promise.resolve(installed)) };
  const isThere =
    installed !== undefined &&
    (await access(installed).then(
      () => true,
      () => false,
    ));
  if (!isThere)
    throw browserNotFound({
      browser: `${titles[name]} of Playwright`,
      places: installed ?? 'no place for this system',
    });
  return {};
}

function installedPath(type: BrowserType): string | undefined {
  try {
    return type.executablePath();
  } catch {
    return undefined;
  }
}

function startFailure(error: unknown, name: Launch['browser'], limitMs: number): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const browser = titles[name];
  if (error.name === 'TimeoutError') return browserStartTimeout({ browser, seconds: limitMs / 1000, cause: error });
  return browserNotStarted({ browser, reason: lastWords(error) ?? reasonOf(error), cause: error });
}

/** What a browser wrote before it ended: the library only says that it is closed. */
function lastWords(error: Error): string | undefined {
  if (!/has been closed/.test(error.message)) return undefined;
  const written = [...error.message.matchAll(/\[err\] (.+)/g)].at(-1)?.[1];
  return written?.trim() ?? 'it ended right after its start';
}

/** Existing files write launcher options in snake case. */
function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
