import type { Actions, WebDriver, WebElement } from 'selenium-webdriver';

import type { Base, Evidence } from '#runtime/kernel/ports.ts';
import { browserNotAnswering, elementNotReady, notChromium } from '#schemas/generated/failures.ts';
import { isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import { within } from '../shared/abortable.ts';
import { addressFor } from '../shared/address.ts';
import type { PageScripts } from '../page/page-scripts.ts';
import type { Check } from '../page/readiness.ts';
import { pageEvidence } from '../shared/page-evidence.ts';
import { saidByProxy } from '../shared/said-by-proxy.ts';
import type { Sought } from '../shared/sought.ts';
import { nameOf } from '../test-objects/locator.ts';
import type { Locator } from '../test-objects/locator.ts';
import { checkArrival } from './check-arrival.ts';
import { isFrame, windowNamed } from './contexts.ts';
import type { Current } from './current-element.ts';
import { Door } from './door.ts';
import type { SessionParts } from './door.ts';
import { Elements } from './elements.ts';
import { Frames } from './frames.ts';
import { InputQueue } from './input-queue.ts';
import { Log } from './log.ts';
import { saveBrowser } from './saved-state.ts';
import type {
  Doubt,
  ElementRef,
  EndScript,
  LogEntry,
  Recording,
  Scope,
  SessionRef,
  Settled,
  Subject,
  Timeouts,
  Values,
  WebDriverSession,
} from './port.ts';
import type { Seen } from './when-ready.ts';

/**
 * Time (ms) that a picture of a failed step waits for a call that was given up: after a time limit the driver gives up
 * soon, after an interrupt not at all.
 */
const evidencePatienceMs = 800;
/** A driver without sessions ends at once when it is told to. */
const politeMs = 1000;
/** Time (ms) between two looks of an assertion. */
const lookAgainMs = 50;

/** Call of the debugging protocol that holds the network back. */
const networkMethod = 'Network.emulateNetworkConditions';
const unlimited = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

/** One browser under WebDriver: its pages, windows, frames and input; elements and calls have files of their own. */
export class WebDriverBrowserSession implements WebDriverSession {
  readonly id: string;
  readonly browser: string;
  readonly ref: SessionRef;
  readonly capabilities: JsonObject;
  readonly chromium: boolean;
  recording: Recording | undefined;
  readonly #parts: SessionParts;
  readonly #door: Door;
  readonly #frames = new Frames();
  readonly #elements: Elements;
  readonly #input = new InputQueue();
  readonly #log: Log;
  /** Conditions of the network that were asked for; undefined: its own. */
  #network: Values | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#log = new Log((scope, work) => this.run(scope, work), {
      bidi: parts.bidi,
      isWhole: parts.hasWholeLog ?? true,
    });
    this.#door = new Door(parts);
    this.#elements = new Elements(this.#door, this.#frames);
    this.id = parts.id;
    this.capabilities = parts.capabilities;
    this.browser = String(parts.capabilities['browserName'] ?? 'unknown');
    this.ref = new SessionHandle(this.id, this.browser);
    this.chromium = ['chrome', 'MicrosoftEdge', 'msedge', 'chromium', 'chrome-headless-shell'].includes(this.browser);
  }

  get timeouts(): Timeouts {
    return this.#door.timeouts;
  }

  /** Whether it reaches no private place of ours: it has one way out, or it is elsewhere. */
  get isHeld(): boolean {
    return this.#parts.proxy !== undefined || this.#parts.process === undefined;
  }

  /** The longest that one command may go without an answer. */
  get limitMs(): number {
    return this.#door.limitMs;
  }

  run<T>(scope: Scope, work: (driver: WebDriver) => Promise<T>, about?: Subject): Promise<T> {
    return this.#door.run(scope, work, about);
  }

  async open(scope: Base, url: string): Promise<void> {
    const address = addressFor(url, scope, this.#parts.settings);
    this.#frames.forget();
    await saidByProxy(this.#parts.proxy, () =>
      this.run(
        scope,
        async (driver) => {
          const { now } = this.#door;
          const begun = now();
          await driver.get(address);
          if (this.chromium) await checkArrival(driver, address, { begun, now });
        },
        { url: address },
      ),
    );
  }

  async navigate(scope: Scope, work: (driver: WebDriver) => Promise<void>): Promise<void> {
    await this.run(scope, async (driver) => {
      await work(driver);
      if (this.#frames.names.length > 0) await this.#frames.leave(driver);
    });
  }

  async setTimeouts(scope: Scope, timeouts: Partial<Timeouts>): Promise<void> {
    this.#door.timeouts = { ...this.timeouts, ...timeouts };
    // The door tells the driver on the way in.
    await this.run(scope, () => Promise.resolve());
  }

  find(scope: Scope, sought: Sought<Locator>): Promise<ElementRef> {
    return this.#elements.find(scope, sought);
  }

  matches(scope: Scope, locator: Locator): Promise<readonly WebElement[]> {
    return this.#elements.matches(scope, locator);
  }

  locate(scope: Scope, locator: Locator): Promise<WebElement> {
    return this.#elements.locate(scope, locator);
  }

  async lookup(scope: Scope, locator: Locator): Promise<WebElement | undefined> {
    return (await this.matches(scope, locator))[0];
  }

  findAll(scope: Scope, sought: Sought<Locator>): Promise<readonly ElementRef[]> {
    return this.#elements.findAll(scope, sought);
  }

  findByScript(
    scope: Scope,
    search: { readonly body: string; readonly args: readonly Json[]; readonly locator: Locator },
  ): Promise<ElementRef | null> {
    return this.#elements.findByScript(scope, search);
  }

  chooseElement(index: number): void {
    this.#elements.choose(index);
  }

  setElement(element: WebElement, locator: Locator): Promise<ElementRef> {
    return this.#elements.set(element, locator);
  }

  element<T>(scope: Scope, work: (element: WebElement, current: Current) => Promise<T>): Promise<T> {
    return this.#elements.element(scope, work);
  }

  act<T>(
    scope: Scope,
    checks: readonly Check[],
    work: (element: WebElement, seen: Seen) => Promise<T>,
    looked?: (seen: Seen) => void,
  ): Promise<T> {
    return this.#elements.act(scope, checks, work, looked);
  }

  get framed(): string {
    return this.#frames.words;
  }

  async settled<T>(scope: Scope, ask: () => Promise<Doubt<T> | undefined>): Promise<Settled<T> | undefined> {
    const { now, sleep } = this.#door;
    const begin = now();
    const limitMs = this.#door.actionMs(scope);
    for (;;) {
      const doubt = await ask();
      if (!doubt) return undefined;
      const ms = now() - begin;
      if (doubt.isFinal || ms >= limitMs) return { wrong: doubt.wrong, seconds: Math.round(ms / 100) / 10 };
      await sleep(Math.min(lookAgainMs, limitMs - ms), scope.signal);
    }
  }

  async enterFrames(scope: Scope, chain: readonly Locator[], from: 'top' | 'here' = 'top'): Promise<void> {
    await this.run(scope, (driver) =>
      this.#frames.orBack(driver, async () => {
        if (from === 'top') await this.#frames.leave(driver);
        for (const locator of chain) {
          const frame = await this.locate(scope, locator);
          if (!(await isFrame(frame)))
            throw elementNotReady({ selector: this.#elements.named(locator), reason: 'it is no frame' });
          await this.#frames.enter(driver, frame, nameOf(locator));
        }
      }),
    );
    this.#elements.hold();
  }

  async evaluateInFrames(scope: Scope, body: string): Promise<void> {
    await this.run(scope, (driver) => this.#frames.each(driver, () => driver.executeScript(body)));
  }

  async leaveFrames(scope: Scope): Promise<void> {
    await this.run(scope, (driver) => this.#frames.leave(driver));
  }

  async leaveFrame(scope: Scope): Promise<void> {
    await this.run(scope, (driver) => this.#frames.leaveOne(driver));
  }

  async chooseWindow(scope: Scope, name: string): Promise<void> {
    await this.run(scope, async (driver) => {
      const handles = await driver.getAllWindowHandles();
      const handle = handles.includes(name) ? name : await windowNamed(driver, name, handles);
      await driver.switchTo().window(handle);
    });
    this.#frames.forget();
    this.#elements.hold();
  }

  async queueInput(scope: Scope, work: (actions: Actions) => void): Promise<void> {
    await this.run(scope, (driver) => Promise.resolve(this.#input.add(driver, work)));
  }

  async performInput(scope: Scope): Promise<void> {
    await this.run(scope, () => this.#input.perform(), { selector: 'under the pointer' });
  }

  async resetInput(scope: Scope): Promise<void> {
    await this.run(scope, (driver) => this.#input.reset(driver));
  }

  async protocol(scope: Scope, method: string, params: Values): Promise<unknown> {
    if (!this.chromium) throw notChromium({ command: method, browser: this.browser });
    if (method === networkMethod) this.#network = params;
    return this.#door.command(scope, 'executeCdpCommand', { cmd: method, params }, method);
  }

  async addScript(scope: Scope, source: string): Promise<EndScript | undefined> {
    const { bidi } = this.#parts;
    if (bidi) {
      const end = await this.run(scope, async (driver) => bidi.addScript(await driver.getWindowHandle(), source));
      return (until) => this.run(until, end);
    }
    if (!this.chromium) return undefined;
    const added = await this.protocol(scope, 'Page.addScriptToEvaluateOnNewDocument', { source: `{${source}}` });
    const identifier = isObject(added) ? String(added['identifier']) : '';
    return async (until) =>
      void (await this.protocol(until, 'Page.removeScriptToEvaluateOnNewDocument', { identifier }));
  }

  command(scope: Scope, name: string, params: Values): Promise<unknown> {
    return this.#door.command(scope, name, params);
  }

  /** Installs in Firefox a packed extension, or the folder of one. */
  async installAddOn(scope: Scope, path: string): Promise<void> {
    await this.command(scope, 'install addon', { path, temporary: true });
  }

  /** Remembers windows, page, cookies, limits and elements; what it yields brings them back. */
  async save(scope: () => Scope): Promise<() => Promise<void>> {
    const [held, timeouts, network] = [this.#elements.held, this.timeouts, this.#network];
    const restoreBrowser = await this.run(scope(), (driver) =>
      saveBrowser(
        driver,
        this.chromium ? (method, params) => this.protocol(scope(), method, params) : undefined,
        { evaluate: (inside, body, args) => this.command(inside, 'executeScript', { script: body, args }) },
        scope,
      ),
    );
    return async () => {
      this.#door.timeouts = timeouts;
      if (network !== this.#network) {
        await this.protocol(scope(), networkMethod, network ?? unlimited);
        this.#network = network;
      }
      const isSame = await this.run(scope(), restoreBrowser);
      // Choosing a window leads to the top of its page.
      this.#frames.forget();
      this.#input.drop();
      this.#elements.hold(isSame ? held : undefined);
    };
  }

  takeLog(scope: Scope, kind: string): Promise<readonly LogEntry[]> {
    return this.#log.take(scope, kind);
  }

  async picture(scope: Scope): Promise<Uint8Array> {
    return Buffer.from(await this.run(scope, (driver) => driver.takeScreenshot()), 'base64');
  }

  async evidence(signal: AbortSignal): Promise<readonly Evidence[]> {
    if (!(await this.#door.isFreeWithin(evidencePatienceMs))) return [];
    const scripts: PageScripts = {
      evaluate: (scope, body, args) => this.command(scope, 'executeScript', { script: body, args }),
    };
    return pageEvidence(
      {
        scripts,
        documents: async (scope, work) => {
          let allDid = true;
          const tried = (): Promise<void> => work(scripts).catch(() => void (allDid = false));
          await this.run(scope, (driver) => this.#frames.everywhere(driver, tried));
          return allDid;
        },
        picture: (scope) => this.picture(scope),
        console: async (scope) =>
          (await this.#log.peek(scope, 'browser')).map(({ level, message }) => `${level}: ${message}`),
        place: (scope) => this.#door.place(scope),
      },
      signal,
      this.#parts.masked,
    );
  }

  /** Ends the session and its driver whatever state they are in. Resolves with what went wrong on the way. */
  async close(graceMs: number): Promise<unknown> {
    const { process, close, bidi } = this.#parts;
    bidi?.close();
    // A browser that is still busy with a call that its step gave up would not hear the request to quit.
    const polite = process === undefined || (process.ended === undefined && !this.#door.isTaken);
    const trouble = polite ? await this.#quit(graceMs) : undefined;
    close();
    await process?.stop(polite && trouble === undefined ? politeMs : 0);
    return trouble;
  }

  async #quit(graceMs: number): Promise<unknown> {
    const quitting = this.#parts.driver.quit().then(
      () => ({ trouble: undefined }),
      (trouble: unknown) => ({ trouble }),
    );
    const outcome = await within(quitting, graceMs);
    return outcome ? outcome.trouble : browserNotAnswering({ seconds: graceMs / 1000 });
  }
}

/** A class, so that records show it as a live object. */
class SessionHandle implements SessionRef {
  readonly $handle = 'session';
  readonly id: string;
  readonly browser: string;

  constructor(id: string, browser: string) {
    this.id = id;
    this.browser = browser;
  }
}
