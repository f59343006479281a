import { optionNotForBrowser } from '#schemas/generated/failures.ts';
import { isObject } from '#schemas/types/json.ts';

import type { Extension } from '../browsers/extension.ts';
import type { Surroundings } from '../browsers/find-browser.ts';
import { knownBrowsers } from '../browsers/known-browsers.ts';
import type { BrowserName } from '../browsers/known-browsers.ts';
import { heldSwitches } from '../browsers/only-way-out.ts';
import { hasSwitch, mergeSwitches, mustRunWithoutSandbox } from '../browsers/switches.ts';
import type { Values } from './port.ts';

/** Options of a start beside the browser's name. */
export interface StartOptions {
  readonly switches: readonly string[];
  /**
   * Keys of `goog:chromeOptions` as they are: prefs, excludeSwitches, debuggerAddress and so on; `args` join the
   * switches.
   */
  readonly experimental: Values | undefined;
  readonly extensions: readonly Extension[];
  readonly bidi: boolean;
  /** Capabilities that are merged over all others. */
  readonly extra: Values;
  /** Port of the proxy that is the only way out; for the Chromium family. */
  readonly proxyPort?: number;
}

export interface Asked {
  readonly capabilities: Values;
  readonly sandboxOff: boolean;
  /** The driver speaks with the browser through a pipe. */
  readonly piped: boolean;
  /** The user says which levels of consoles the driver keeps. */
  readonly hasWholeLog: boolean;
}

/** Over BiDi, ChromeDriver answers each dialog at once, before a step could, unless it is told to leave them. */
const leavingDialogs: Values = { unhandledPromptBehavior: { default: 'ignore', beforeUnload: 'accept' } };

/** The capabilities of a new local session. `binary` is undefined where the driver finds its browser by itself. */
export function capabilitiesFor(
  name: BrowserName,
  binary: string | undefined,
  options: StartOptions,
  around: Surroundings,
): Asked {
  const own = knownBrowsers[name].chromium
    ? chromiumOptions(name, binary, options, around)
    : {
        capabilities: otherOptions(name, binary, options, isVisible(around)),
        sandboxOff: false,
        piped: false,
        hasWholeLog: true,
      };
  const capabilities = mergeCapabilities(
    {
      ...own.capabilities,
      ...(options.bidi ? { webSocketUrl: true, ...(knownBrowsers[name].chromium && leavingDialogs) } : {}),
    },
    options.extra,
  );
  return {
    ...own,
    capabilities: options.proxyPort === undefined ? capabilities : held(capabilities, options.proxyPort),
  };
}

/** After everything else, for what is merged over the others may bring switches of its own. */
function held(capabilities: Values, port: number): Values {
  const blocks = ['goog:chromeOptions', 'ms:edgeOptions'].flatMap((key) => {
    const block = capabilities[key];
    return isObject(block) ? [[key, { ...block, args: heldSwitches(texts(block['args']), port) }]] : [];
  });
  return { ...capabilities, ...Object.fromEntries(blocks) };
}

function chromiumOptions(
  name: BrowserName,
  binary: string | undefined,
  options: StartOptions,
  around: Surroundings,
): Asked {
  const { args, extensions, ...experimental } = options.experimental ?? {};
  const attached = typeof experimental['debuggerAddress'] === 'string';
  const wanted = mergeSwitches(around.settings.browser?.args ?? [], texts(args), options.switches);
  const sandboxOff = !attached && mustRunWithoutSandbox(around.host) && !hasSwitch(wanted, '--no-sandbox');
  // A browser that is driven through a pipe ends with its driver; one that listens on a port would outlive it.
  const piped =
    !attached && around.host.platform === 'linux' && !wanted.some((each) => each.startsWith('--remote-debugging-'));
  const packed = options.extensions.flatMap((each) => (each.kind === 'packed' ? [each.base64] : []));
  const folders = options.extensions.flatMap((each) => (each.kind === 'folder' ? [each.path] : []));
  const block: Values = {
    ...(binary === undefined || attached ? {} : { binary }),
    ...experimental,
    // A browser that is there already takes no switches.
    ...(attached ? {} : { args: switchesFor(wanted, { folders, sandboxOff, piped, around }) }),
    ...(packed.length === 0 && extensions === undefined ? {} : { extensions: [...texts(extensions), ...packed] }),
  };
  const [browserName, key] =
    name === 'edge' ? (['MicrosoftEdge', 'ms:edgeOptions'] as const) : (['chrome', 'goog:chromeOptions'] as const);
  const logs = name === 'edge' ? 'ms:loggingPrefs' : 'goog:loggingPrefs';
  // Evidence of a failed step shows all that pages said; a driver keeps warnings and errors only unless it is asked.
  const asked = options.extra[logs];
  return {
    capabilities: { browserName, [key]: block, [logs]: { browser: 'ALL' } },
    sandboxOff,
    piped,
    hasWholeLog: isObject(asked) && asked['browser'] !== undefined,
  };
}

interface Surplus {
  readonly folders: readonly string[];
  readonly sandboxOff: boolean;
  readonly piped: boolean;
  readonly around: Surroundings;
}

function switchesFor(wanted: readonly string[], { folders, sandboxOff, piped, around }: Surplus): readonly string[] {
  return mergeSwitches(
    isVisible(around) ? wanted.filter((each) => !/^--headless(=|$)/.test(each)) : ['--headless=new', ...wanted],
    sandboxOff ? ['--no-sandbox'] : [],
    folders.length === 0 ? [] : [`--load-extension=${folders.join(',')}`],
    piped ? ['--remote-debugging-pipe'] : [],
  );
}

function otherOptions(name: BrowserName, binary: string | undefined, options: StartOptions, visible: boolean): Values {
  refuse(options.experimental !== undefined, 'experimental_options', name);
  if (name === 'firefox') {
    const args = visible ? options.switches : mergeSwitches(['-headless'], options.switches);
    return { browserName: 'firefox', 'moz:firefoxOptions': { ...(binary === undefined ? {} : { binary }), args } };
  }
  refuse(options.extensions.length > 0, 'extension_paths', name);
  refuse(options.switches.length > 0 && name === 'safari', 'options', name);
  if (name === 'safari') return { browserName: 'safari' };
  const switches: Values = {
    'se:ieOptions': { 'ie.browserCommandLineSwitches': options.switches.join(' '), 'ie.forceCreateProcessApi': true },
  };
  return { browserName: 'internet explorer', ...(options.switches.length > 0 ? switches : {}) };
}

/** A window is shown only where the person who starts the run asks for it (`--headed`, configuration). */
export function isVisible({ settings }: Surroundings): boolean {
  return settings.browser?.headless === false;
}

function refuse(given: boolean, option: string, name: BrowserName): void {
  if (given) throw optionNotForBrowser({ option, browser: knownBrowsers[name].title });
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

/** Blocks are merged one level deep, so that one key of `goog:chromeOptions` does not drop the others. */
export function mergeCapabilities(base: Values, over: Values): Values {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    merged[key] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  return merged;
}
