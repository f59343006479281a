import { By } from 'selenium-webdriver/lib/by.js';
import { Command } from 'selenium-webdriver/lib/command.js';
import type { Actions, WebDriver, WebElement } from 'selenium-webdriver';

import type { Base, Evidence, PortContext, Settings } from '#runtime/kernel/ports.ts';
import {
  browserNotAnswering,
  elementAmbiguous,
  elementIndexOutOfRange,
  elementNotFound,
  elementNotReady,
  noCurrentElement,
  notChromium,
} from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import { BROWSER_ACTION_MS } from '#schemas/generated/settings.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { WayOut } from '../browsers/only-way-out.ts';
import { abortable, within } from '../shared/abortable.ts';
import { addressFor } from '../shared/address.ts';
import { inFrames } from '../shared/in-frames.ts';
import { describeElements, listed } from '../page/describe.ts';
import { nearest, nearestTo } from '../page/nearest.ts';
import type { Near } from '../page/nearest.ts';
import type { PageScripts } from '../page/page-scripts.ts';
import type { Check } from '../page/readiness.ts';
import { pageEvidence } from '../shared/page-evidence.ts';
import { saidByProxy } from '../shared/said-by-proxy.ts';
import { locatorFor, nameOf, oneText, spellingOf } from '../test-objects/locator.ts';
import type { Locator } from '../test-objects/locator.ts';
import { pageForm, wireForm } from '../test-objects/wire-forms.ts';
import type { Bidi } from './bidi.ts';
import { checkArrival } from './check-arrival.ts';
import { isFrame, windowNamed } from './contexts.ts';
import { Current, refOf, withHandles } from './current-element.ts';
import type { DriverProcess } from './driver-process.ts';
import { DriverTimeouts } from './driver-timeouts.ts';
import { failureOf } from './failure-of.ts';
import { findAndGlance } from './find-and-glance.ts';
import { Frames } from './frames.ts';
import { InputQueue } from './input-queue.ts';
import { Log } from './log.ts';
import { queryPage } from './query-page.ts';
import { saveBrowser } from './saved-state.ts';
import type {
  Doubt,
  ElementRef,
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
import { waitWithin } from '../shared/wait-within.ts';
import { whenReady } from './when-ready.ts';
import type { Seen } from './when-ready.ts';

/** Time (ms) that a command waits for one that was given up before and still holds the browser. */
const patienceMs = 30_000;
/**
 * The same for a picture of a failed step: after a time limit the driver gives up soon, after an interrupt not at all.
 */
const evidencePatienceMs = 800;
/** A driver without sessions ends at once when it is told to. */
const politeMs = 1000;
/** Time (ms) that a command may take beside the session's own limits. */
const allowanceMs = 60_000;

/** Time (ms) of a step in which its failure is put together. */
const lastMs = 50;
/** Time (ms) for which a look at an element that was just found stands for the look before an action. */
const glanceMs = 20;
/** Time (ms) between two looks of an implicit wait, and of an assertion. */
const lookAgainMs = 50;

/** Call of the debugging protocol that holds the network back. */
const networkMethod = 'Network.emulateNetworkConditions';
const unlimited = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

/** Everything that a session is made of. */
export interface SessionParts {
  readonly driver: WebDriver;
  readonly id: string;
  readonly capabilities: JsonObject;
  readonly settings: Settings;
  /** Hides the secrets of the run. */
  readonly masked: PortContext['masked'];
  /** The host's monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Absent for a session on a hub. */
  readonly process?: DriverProcess;
  /** Its only way out, where the run has denied private places. */
  readonly proxy?: WayOut;
  /** Present where the session was asked for it. */
  readonly bidi?: Bidi;
  readonly close: () => void;
}

/** One browser under WebDriver: its current element, its limits, and the door through which every call goes. */
export class WebDriverBrowserSession implements WebDriverSession {
  readonly id: string;
  readonly browser: string;
  readonly ref: SessionRef;
  readonly capabilities: JsonObject;
  readonly chromium: boolean;
  recording: Recording | undefined;
  readonly #driver: WebDriver;
  readonly #limits: DriverTimeouts;
  readonly #parts: SessionParts;
  readonly #frames = new Frames();
  readonly #input = new InputQueue();
  readonly #log: Log;
  #current: Current | undefined;
  #list: readonly Current[] = [];
  /** Conditions of the network that were asked for; undefined: its own. */
  #network: Values | undefined;
  /** Number of calls that were begun. */
  #calls = 0;
  /** A call that its step did not wait for. */
  #abandoned: Promise<void> | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#log = new Log((scope, work) => this.run(scope, work), parts.bidi);
    this.#driver = parts.driver;
    this.#limits = new DriverTimeouts(parts.capabilities, parts.now);
    this.id = parts.id;
    this.capabilities = parts.capabilities;
    this.browser = String(parts.capabilities['browserName'] ?? 'unknown');
    this.ref = new SessionHandle(this.id, this.browser);
    this.chromium = ['chrome', 'MicrosoftEdge', 'msedge', 'chromium', 'chrome-headless-shell'].includes(this.browser);
  }

  get timeouts(): Timeouts {
    return this.#limits.user;
  }

  /** Whether it reaches no private place of ours: it has one way out, or it is elsewhere. */
  get isHeld(): boolean {
    return this.#parts.proxy !== undefined || this.#parts.process === undefined;
  }

  /** The longest that one command may go without an answer. */
  get limitMs(): number {
    const { implicit, pageLoad, script } = this.timeouts;
    const own = Math.max(implicit, pageLoad, script) * 1000 + allowanceMs;
    return this.#parts.settings.limits?.browser_call_ms ?? own;
  }

  async run<T>(scope: Scope, work: (driver: WebDriver) => Promise<T>, about: Subject = {}): Promise<T> {
    scope.signal.throwIfAborted();
    this.#calls += 1;
    await this.#free(scope.signal);
    const slow = this.#parts.settings.browser?.slow_mo_ms ?? 0;
    if (slow > 0) await abortable(new Promise<void>((resolve) => setTimeout(resolve, slow)), scope.signal);
    const call = this.#limits.keepTo(scope, this.#driver).then(() => work(this.#driver));
    try {
      return await abortable(call, scope.signal);
    } catch (error) {
      if (!scope.signal.aborted) throw this.#failure(error, about);
      this.#abandon(call);
      throw scope.signal.reason;
    }
  }

  async open(scope: Base, url: string): Promise<void> {
    const address = addressFor(url, scope, this.#parts.settings);
    this.#frames.forget();
    await saidByProxy(this.#parts.proxy, () =>
      this.run(
        scope,
        async (driver) => {
          await driver.get(address);
          if (this.chromium) await checkArrival(driver, address);
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
    this.#limits.user = { ...this.timeouts, ...timeouts };
    // The door tells the driver on the way in.
    await this.run(scope, () => Promise.resolve());
  }

  async find(scope: Scope, locator: Locator): Promise<ElementRef> {
    this.#current = undefined;
    const about = { selector: this.#named(nameOf(locator)) };
    const hit = await this.run(scope, (driver) => findAndGlance(driver, locator), about);
    if (!hit) return this.setElement(await this.#first(scope, locator), locator);
    const glance = hit.ready && { ...hit.ready, at: this.#parts.now(), call: this.#calls };
    this.#current = new Current(hit.element, await hit.element.getId(), locator, glance);
    return refOf(this.#current.id);
  }

  async #first(scope: Scope, locator: Locator): Promise<WebElement> {
    const hit = await this.lookup(scope, locator);
    if (!hit) throw await this.#notFound(scope, locator);
    return hit;
  }

  matches(scope: Scope, locator: Locator): Promise<readonly WebElement[]> {
    return this.#look(scope, locator);
  }

  async locate(scope: Scope, locator: Locator): Promise<WebElement> {
    const hits = await this.#look(scope, locator);
    const [hit] = hits;
    if (!hit) throw await this.#notFound(scope, locator);
    if (hits.length > 1) throw await this.#several(scope, locator, hits);
    return hit;
  }

  async lookup(scope: Scope, locator: Locator): Promise<WebElement | undefined> {
    return (await this.#look(scope, locator))[0];
  }

  async findAll(scope: Scope, locator: Locator): Promise<readonly ElementRef[]> {
    this.#list = [];
    const hits = await this.#look(scope, locator);
    // The next step must not work on an element of before.
    if (hits.length === 0) this.#current = undefined;
    this.#list = await Promise.all(hits.map(async (element) => new Current(element, await element.getId(), locator)));
    return this.#list.map((each) => refOf(each.id));
  }

  chooseElement(index: number): void {
    const chosen = this.#list[index];
    if (!chosen) throw elementIndexOutOfRange({ index, count: this.#list.length });
    this.#current = chosen;
  }

  element<T>(scope: Scope, work: (element: WebElement, current: Current) => Promise<T>): Promise<T> {
    const current = this.#current;
    if (!current) return Promise.reject(noCurrentElement());
    return this.run(scope, () => work(current.element, current), { selector: this.#named(current.name) });
  }

  get framed(): string {
    return inFrames(this.#frames.names);
  }

  /** An element as failures name it. */
  #named(name: string): string {
    return `${name}${this.framed}`;
  }

  act<T>(scope: Scope, checks: readonly Check[], work: (element: WebElement, seen: Seen) => Promise<T>): Promise<T> {
    return this.element(scope, (element, current) => {
      const { now, sleep } = this.#parts;
      const waiting = {
        name: this.#named(current.name),
        known: this.#glanceAt(current),
        now,
        limitMs: this.#actionMs(scope),
        isLast: scope.step?.deadline !== undefined,
        sleep: (ms: number) => sleep(ms, scope.signal),
        leave: (look: Promise<unknown>) => this.#abandon(look),
      };
      return whenReady(this.#driver, element, checks, (seen) => work(element, seen), waiting);
    });
  }

  /**
   * Look by which the element was found, where it was found just now: nothing has been done in the browser since, and
   * the page had no more time to change than between a look and its action.
   */
  #glanceAt({ glance }: Current): { readonly isPassword: boolean } | undefined {
    if (glance?.call !== this.#calls - 1 || this.#parts.now() - glance.at > glanceMs) return undefined;
    return { isPassword: glance.isPassword };
  }

  async settled<T>(scope: Scope, ask: () => Promise<Doubt<T> | undefined>): Promise<Settled<T> | undefined> {
    const { now, sleep } = this.#parts;
    const begin = now();
    const limitMs = this.#actionMs(scope);
    for (;;) {
      const doubt = await ask();
      if (!doubt) return undefined;
      const ms = now() - begin;
      if (doubt.isFinal || ms >= limitMs) return { wrong: doubt.wrong, seconds: Math.round(ms / 100) / 10 };
      await sleep(Math.min(lookAgainMs, limitMs - ms), scope.signal);
    }
  }

  async setElement(element: WebElement, locator: Locator): Promise<ElementRef> {
    const id = await element.getId();
    this.#current = new Current(element, id, locator);
    return refOf(id);
  }

  async findByScript(
    scope: Scope,
    { body, args, locator }: { readonly body: string; readonly args: readonly Json[]; readonly locator: Locator },
  ): Promise<ElementRef | null> {
    this.#current = undefined;
    const hit = await this.run(scope, (driver) => driver.executeScript<WebElement | null>(body, ...args), {
      selector: this.#named(nameOf(locator)),
    });
    return hit ? this.setElement(hit, locator) : null;
  }

  async enterFrames(scope: Scope, chain: readonly Locator[], from: 'top' | 'here' = 'top'): Promise<void> {
    await this.run(scope, (driver) =>
      this.#frames.orBack(driver, async () => {
        if (from === 'top') await this.#frames.leave(driver);
        for (const locator of chain) {
          const frame = await this.locate(scope, locator);
          if (!(await isFrame(frame)))
            throw elementNotReady({ selector: this.#named(nameOf(locator)), reason: 'it is no frame' });
          await this.#frames.enter(driver, frame, nameOf(locator));
        }
      }),
    );
    this.#current = undefined;
    this.#list = [];
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
    this.#current = undefined;
    this.#list = [];
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
    return this.#send(scope, 'executeCdpCommand', { cmd: method, params }, method);
  }

  command(scope: Scope, name: string, params: Values): Promise<unknown> {
    return this.#send(scope, name, params, name);
  }

  /** Installs in Firefox a packed extension, or the folder of one. */
  async installAddOn(scope: Scope, path: string): Promise<void> {
    await this.command(scope, 'install addon', { path, temporary: true });
  }

  /** Remembers windows, page, cookies, limits and elements; what it yields brings them back. */
  async save(scope: () => Scope): Promise<() => Promise<void>> {
    const [current, list, user, network] = [this.#current, this.#list, this.#limits.user, this.#network];
    const restoreBrowser = await this.run(scope(), (driver) =>
      saveBrowser(
        driver,
        this.chromium ? (method, params) => this.protocol(scope(), method, params) : undefined,
        { evaluate: (inside, body, args) => this.command(inside, 'executeScript', { script: body, args }) },
        scope,
      ),
    );
    return async () => {
      this.#limits.user = user;
      if (network !== this.#network) {
        await this.protocol(scope(), networkMethod, network ?? unlimited);
        this.#network = network;
      }
      const isSame = await this.run(scope(), restoreBrowser);
      // Choosing a window leads to the top of its page.
      this.#frames.forget();
      this.#input.drop();
      this.#current = isSame ? current : undefined;
      this.#list = isSame ? list : [];
    };
  }

  takeLog(scope: Scope, kind: string): Promise<readonly LogEntry[]> {
    return this.#log.take(scope, kind);
  }

  async picture(scope: Scope): Promise<Uint8Array> {
    return Buffer.from(await this.run(scope, (driver) => driver.takeScreenshot()), 'base64');
  }

  async evidence(signal: AbortSignal): Promise<readonly Evidence[]> {
    if (
      this.#abandoned &&
      (await within(
        this.#abandoned.then(() => true),
        evidencePatienceMs,
      )) === undefined
    )
      return [];
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
        place: (scope) => this.#page(scope),
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
    const polite = process === undefined || (process.ended === undefined && this.#abandoned === undefined);
    const trouble = polite ? await this.#quit(graceMs) : undefined;
    close();
    await process?.stop(polite && trouble === undefined ? politeMs : 0);
    return trouble;
  }

  async #quit(graceMs: number): Promise<unknown> {
    const quitting = this.#driver.quit().then(
      () => ({ trouble: undefined }),
      (trouble: unknown) => ({ trouble }),
    );
    const outcome = await within(quitting, graceMs);
    return outcome ? outcome.trouble : browserNotAnswering({ seconds: graceMs / 1000 });
  }

  /** Past the library's own reading of answers, which would make objects of elements. */
  async #send(scope: Scope, name: string, params: Values, subject: string): Promise<unknown> {
    const command = new Command(name);
    command.setParameters({ ...params, sessionId: this.id });
    return withHandles(
      await this.run<unknown>(scope, (driver) => driver.getExecutor().execute(command), { command: subject }),
    );
  }

  /**
   * Time (ms) for an element to become ready; a step with a limit of its own keeps a little of it, so that the failure
   * says why.
   */
  #actionMs(scope: Scope): number {
    return Math.min(this.#parts.settings.limits?.browser_action_ms ?? BROWSER_ACTION_MS, this.#leftMs(scope));
  }

  /** Time (ms) of the step that a wait may take, so that its end can still be told. */
  #leftMs({ step }: Scope): number {
    return waitWithin(step?.deadline === undefined ? Infinity : step.deadline - this.#parts.now());
  }

  #look(scope: Scope, locator: Locator): Promise<readonly WebElement[]> {
    const about = { selector: this.#named(nameOf(locator)) };
    const inPage = pageForm(locator);
    if (inPage !== undefined) return this.#lookInPage(scope, inPage, about);
    const { using, value } = wireForm(locator);
    return this.run(scope, (driver) => driver.findElements(new By(using, value)), about);
  }

  /** Looks as the driver does: an implicit wait is waited for the first match. */
  async #lookInPage(scope: Scope, selector: string, about: Subject): Promise<readonly WebElement[]> {
    const { now, sleep } = this.#parts;
    for (const end = now() + Math.min(this.timeouts.implicit * 1000, this.#leftMs(scope)); ;) {
      const found = await this.run(scope, (driver) => queryPage(driver, selector), about);
      const left = end - now();
      if (found.length > 0 || left <= 0) return found;
      await sleep(Math.min(left, lookAgainMs), scope.signal);
    }
  }

  async #several(scope: Scope, locator: Locator, hits: readonly WebElement[]): Promise<unknown> {
    const asking = this.run(scope, (driver) =>
      driver.executeScript(`return (${describeElements})(arguments[0])`, hits),
    );
    const elements = listed(await this.#inTime(scope, asking, []), hits.length);
    return elementAmbiguous({ selector: this.#named(nameOf(locator)), count: hits.length, elements });
  }

  async #notFound(scope: Scope, locator: Locator): Promise<unknown> {
    const [title, url] = await this.#inTime(scope, this.#page(scope), ['', '']);
    const waits = 'WR_explicit_wait: { condition: { element_visible: NAME } }';
    const near = await this.#inTime(scope, this.#nearest(scope, locator, waits), {});
    return elementNotFound({
      ...near,
      selector: this.#named(nameOf(locator)),
      title,
      url,
      seconds: this.timeouts.implicit,
      waits,
    });
  }

  /** Details that only add to a failure are left out where the step would end before. */
  async #inTime<T>({ step }: Scope, details: Promise<T>, otherwise: T): Promise<T> {
    if (step?.deadline === undefined) return details;
    return (await within(details, Math.max(step.deadline - this.#parts.now() - lastMs, 1))) ?? otherwise;
  }

  /** Only adds to a failure: a page that does not answer adds nothing. */
  #nearest(scope: Scope, locator: Locator, waits: string): Promise<Near> {
    const written = (patch: string): string => {
      const offered = locatorFor(patch);
      return `\`${offered.value}\` (${spellingOf(offered)})`;
    };
    const asking = `return (${nearest})(arguments[0])`;
    return this.run(scope, (driver) => driver.executeScript(asking, oneText(locator))).then(
      (found) => nearestTo(locator.value, found, waits, written),
      () => ({}),
    );
  }

  #page(scope: Scope): Promise<readonly [title: string, url: string]> {
    return this.run(scope, async (driver) => [await driver.getTitle(), await driver.getCurrentUrl()]);
  }

  async #free(signal: AbortSignal): Promise<void> {
    if (!this.#abandoned) return;
    const free = await abortable(
      within(
        this.#abandoned.then(() => true),
        patienceMs,
      ),
      signal,
    );
    if (free === undefined) throw browserNotAnswering({ seconds: patienceMs / 1000 });
  }

  #abandon(call: Promise<unknown>): void {
    const ended = call
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        if (this.#abandoned === ended) this.#abandoned = undefined;
      });
    this.#abandoned = ended;
  }

  #failure(error: unknown, about: Subject): unknown {
    // Nothing will answer any more: neither what is under way nor a request to quit.
    if (error instanceof Failure && error.facts.code === 'SVC81007') this.#parts.process?.kill();
    return failureOf(error, {
      ...about,
      pageLoadS: this.timeouts.pageLoad,
      scriptS: this.timeouts.script,
      ended: this.#parts.process?.ended,
    });
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
