import type { BrowserContext, CDPSession, ElementHandle, Frame, Page } from 'playwright-core';

import type { Base, Evidence, PortContext, Settings } from '#runtime/kernel/ports.ts';
import {
  browserNotAnswering,
  browserRefused,
  browserWindowGone,
  contextFixed,
  elementAmbiguous,
  elementIndexOutOfRange,
  elementNotFound,
  elementNotReady,
  noBrowserPage,
  noCurrentElement,
  notChromium,
  pageIndexOutOfRange,
  pageSettingRefused,
  protocolCommandUnknown,
} from '#schemas/generated/failures.ts';
import { BROWSER_CALL_MS } from '#schemas/generated/settings.ts';
import type { Failure } from '#schemas/types/failure.ts';

import { abortable, within } from '../shared/abortable.ts';
import { addressFor } from '../shared/address.ts';
import { inFrames } from '../shared/in-frames.ts';
import { waitWithin } from '../shared/wait-within.ts';
import { describeElements, listed } from '../page/describe.ts';
import { nearest, nearestTo } from '../page/nearest.ts';
import type { PageScripts } from '../page/page-scripts.ts';
import { notReady, readiness } from '../page/readiness.ts';
import type { Check } from '../page/readiness.ts';
import { pageEvidence } from '../shared/page-evidence.ts';
import { saidByProxy } from '../shared/said-by-proxy.ts';
import { inLibraryForm } from '../test-objects/wire-forms.ts';
import { Capture } from './capture.ts';
import { PlaywrightElement, unwrapped } from './element-ref.ts';
import { failureOf, hindrance, quoted, reasonOf, scriptFailure, secondsOf } from './failure-of.ts';
import type { Launched } from './launch.ts';
import { plain } from './plain.ts';
import { saveContext } from './saved-state.ts';
import { checkShape, shapedContext } from './shape.ts';
import type {
  Downloaded,
  ElementRef,
  ElementState,
  MockAnswer,
  PlaywrightSession,
  Position,
  Replay,
  Scope,
  Shape,
  Subject,
  Target,
} from './port.ts';

/** The library's own limit, in milliseconds. */
const defaultMs = 30_000;
/** Time (ms) for an answer beside what a call itself may wait. */
const allowanceMs = 30_000;
/** Conditions that most actions need of their element, as a script reads them. */
const actionChecks = JSON.stringify(['visible', 'stable', 'enabled', 'reachable'] satisfies readonly Check[]);
/** The same for what only adds to what is kept of a page. */
const detailMs = 1000;
/** The same for the words of a failure: a machine that is busy answers late, and they are what is needed most. */
const wordsMs = 3000;
/** Time (ms) before the end of a step in which the words of the failure are made. */
const lastMs = 30;
/** Call of the debugging protocol that holds the network back. */
const networkMethod = 'Network.emulateNetworkConditions';
const unlimited = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
/** Nothing imitated. */
const plainShape: Shape = { device: undefined, locale: undefined, acceptLanguage: undefined, timezone: undefined };
/** Longest wait (ms) for a page that a click has just opened. */
const openingMs = 1000;

export interface SessionAround {
  readonly settings: Settings;
  /** Monotonic time (ms). */
  readonly now: () => number;
  /** Hides the secrets of the run. */
  readonly masked: PortContext['masked'];
  /** Being recorded from the start. */
  readonly archive: Shape['archive'];
  /** Called for an archive that the browser has finished. */
  readonly archived: (path: string) => Promise<void>;
}

interface Found {
  readonly ref: PlaywrightElement;
  readonly selector: string;
}

/** The open browser of the second engine: its current page and element, and the door through which every call goes. */
export class PlaywrightBrowserSession implements PlaywrightSession {
  readonly capture = new Capture();
  timeouts = { action: defaultMs, navigation: defaultMs };
  hasClock = false;
  hasFixedTime = false;
  readonly #launched: Launched;
  readonly #settings: Settings;
  readonly #around: SessionAround;
  readonly #grants: { readonly permissions: readonly string[]; readonly origin: string | undefined }[] = [];
  #shape: Shape;
  #position: Position | undefined;
  /** Conditions of the network that were asked for; undefined: its own. */
  #network: Readonly<Record<string, unknown>> | undefined;
  /** By the pattern of addresses; those of the current page. */
  readonly #mocks = new Map<string, MockAnswer | Replay>();
  readonly #channels = new WeakMap<Page, Promise<CDPSession>>();
  #page: Page;
  /** Absent at the top of the page. */
  #frame: Frame | undefined;
  /** Selectors that led to the frame. */
  #frameNames: readonly string[] = [];
  #current: Found | undefined;
  #list: readonly Found[] = [];

  constructor(launched: Launched, page: Page, around: SessionAround) {
    this.#launched = launched;
    this.#page = page;
    this.#around = around;
    this.#settings = around.settings;
    this.#shape = { archive: around.archive };
  }

  get page(): Page {
    if (this.#page.isClosed()) throw noBrowserPage();
    return this.#page;
  }

  get pages(): readonly Page[] {
    return this.#launched.context.pages();
  }

  get context(): BrowserContext {
    return this.#launched.context;
  }

  get root(): Page | Frame {
    if (this.#frame?.isDetached() && !this.page.isClosed()) throw browserWindowGone();
    return this.#frame ?? this.page;
  }

  async run<T>(scope: Scope, work: (page: Page) => Promise<T>, about: Subject = {}): Promise<T> {
    scope.signal.throwIfAborted();
    this.#keepTo(scope);
    try {
      return await this.#bounded(work(this.page), scope, about.timeout);
    } catch (error) {
      scope.signal.throwIfAborted();
      throw await this.#failure(plain(error), about, this.#wordsMs(scope));
    }
  }

  async open(scope: Base, url: string): Promise<void> {
    const address = addressFor(url, scope, this.#settings);
    this.leaveFrames();
    await saidByProxy(this.#launched.proxy, async () => {
      await this.run(scope, (page) => page.goto(address, { signal: scope.signal }), { url: address });
    });
  }

  actionMs(scope: Scope): number {
    const { action } = this.timeouts;
    return this.#within(scope, action || Infinity) ?? action;
  }

  /** Time (ms) until the step's own time limit ends it. */
  #left({ step }: Scope): number {
    return step?.deadline === undefined ? Infinity : step.deadline - this.#around.now();
  }

  #wordsMs(scope: Scope): number {
    return Math.max(Math.min(wordsMs, this.#left(scope) - lastMs), 1);
  }

  setTimeouts({ action, navigation }: { readonly action?: number; readonly navigation?: number }): void {
    const { context } = this.#launched;
    if (action !== undefined) context.setDefaultTimeout(action);
    if (navigation !== undefined) context.setDefaultNavigationTimeout(navigation);
    this.timeouts = { action: action ?? this.timeouts.action, navigation: navigation ?? this.timeouts.navigation };
  }

  /** Waits for an element end before the time of the step does: then it can be told what they waited for. */
  #keepTo(scope: Scope): void {
    this.#launched.context.setDefaultTimeout(this.actionMs(scope));
  }

  /** Time (ms) in which a wait of this long ends before the step does; undefined: in its own. */
  #within(scope: Scope, ms: number): number | undefined {
    const left = this.#left(scope);
    if (left === Infinity) return undefined;
    const most = Math.max(Math.round(waitWithin(left)), 1);
    return ms > most ? most : undefined;
  }

  async find(scope: Scope, selector: string): Promise<ElementRef | null> {
    this.#current = undefined;
    const hit = await this.run(scope, () => this.root.$(inLibraryForm(selector)), { selector });
    if (!hit) return null;
    this.#current = { ref: new PlaywrightElement(hit), selector };
    return this.#current.ref;
  }

  async mustFind(scope: Scope, selector: string): Promise<ElementRef> {
    const hit = await this.find(scope, selector);
    if (!hit) throw await this.#notFound({ selector, frames: this.#frameNames }, 0, this.#wordsMs(scope));
    return hit;
  }

  async findAll(scope: Scope, selector: string): Promise<readonly ElementRef[]> {
    this.#list = [];
    this.#current = undefined;
    const hits = await this.run(scope, () => this.root.$$(inLibraryForm(selector)), { selector });
    this.#list = hits.map((hit) => ({ ref: new PlaywrightElement(hit), selector }));
    this.#current = this.#list[0];
    return this.#list.map(({ ref }) => ref);
  }

  chooseElement(index: number): void {
    const chosen = this.#list[index];
    if (!chosen) throw elementIndexOutOfRange({ index, count: this.#list.length });
    this.#current = chosen;
  }

  async only<T>(scope: Scope, selector: string | undefined, work: (target: Target) => Promise<T>): Promise<T> {
    if (selector === undefined) return this.element(scope, selector, work);
    return this.run(scope, () => work(this.root.locator(inLibraryForm(selector))), { selector });
  }

  async drag(scope: Scope, from: string, onto: string): Promise<void> {
    // Apart, so that a failure names the one that is not there.
    const source = this.root.locator(inLibraryForm(from));
    const target = this.root.locator(inLibraryForm(onto));
    await this.run(scope, () => target.waitFor({ state: 'attached', signal: scope.signal }), { selector: onto });
    await this.run(scope, () => source.dragTo(target, { signal: scope.signal }), { selector: from });
  }

  async element<T>(scope: Scope, selector: string | undefined, work: (target: Target) => Promise<T>): Promise<T> {
    if (selector !== undefined)
      return this.run(scope, () => work(this.root.locator(inLibraryForm(selector)).first()), { selector });
    const current = this.#current;
    if (!current) throw noCurrentElement();
    return this.run(scope, () => work(current.ref.element), { selector: current.selector });
  }

  async waitFor(
    scope: Scope,
    selector: string,
    state: ElementState,
    timeout: number | undefined,
  ): Promise<ElementRef | null> {
    const own = timeout === undefined ? undefined : (this.#within(scope, timeout || Infinity) ?? timeout);
    const limit = own === undefined ? {} : { timeout: own };
    const about = { selector, waiting: `${selector}${inFrames(this.#frameNames)} is ${state}`, ...limit };
    await this.run(
      scope,
      () =>
        this.root
          .locator(inLibraryForm(selector))
          .first()
          .waitFor({ state, signal: scope.signal, ...limit }),
      about,
    );
    return state === 'attached' || state === 'visible' ? this.find(scope, selector) : null;
  }

  async evaluate(scope: Scope, expression: string, arg: unknown): Promise<unknown> {
    scope.signal.throwIfAborted();
    try {
      return await this.#bounded(evaluateIn(this.root, expression, unwrapped(arg)), scope);
    } catch (error) {
      scope.signal.throwIfAborted();
      throw scriptFailure(plain(error));
    }
  }

  async download(scope: Scope, selector: string, ms: number): Promise<Downloaded | undefined> {
    const end = performance.now() + ms;
    const begun = this.page.waitForEvent('download', { timeout: ms });
    begun.catch(() => undefined);
    await this.element(scope, selector, (target) => target.click({ signal: scope.signal }));
    const download = await abortable(within(begun, ms), scope.signal);
    if (!download) return undefined;
    try {
      const ended = download.failure().then((reason) => ({ reason: reason ?? undefined }));
      const outcome = await abortable(within(ended, Math.max(end - performance.now(), 1)), scope.signal);
      return outcome && { name: download.suggestedFilename(), ...outcome, content: () => download.createReadStream() };
    } finally {
      // A download that nobody waits for any more goes; one that is whole stays.
      await within(download.cancel(), detailMs);
    }
  }

  async newPage(scope: Scope): Promise<number> {
    const page = await this.#door(scope, () => this.context.newPage());
    this.#enter(page);
    return this.pages.indexOf(page);
  }

  async closePage(scope: Scope, index: number | undefined): Promise<void> {
    const { pages } = this;
    const closing = index === undefined ? this.page : pageAt(pages, index);
    const place = pages.indexOf(closing);
    await this.#door(scope, () => closing.close());
    if (closing !== this.#page) return;
    // The one that moved into its place, else the last one.
    const next = this.pages[place] ?? this.pages.at(-1);
    if (next) this.#enter(next);
    else this.leaveFrames();
  }

  async choosePage(scope: Scope, index: number): Promise<void> {
    const timeout = Math.min(openingMs, this.timeouts.action || openingMs);
    if (index >= this.pages.length)
      await this.#door(scope, () =>
        this.context
          .waitForEvent('page', { timeout, predicate: () => index < this.pages.length })
          .catch(() => undefined),
      );
    this.#enter(pageAt(this.pages, index));
  }

  async enterFrames(scope: Scope, selectors: readonly string[]): Promise<void> {
    let frame: Frame | undefined;
    for (const [place, selector] of selectors.entries())
      frame = await this.#frameIn(scope, { selector, frames: selectors.slice(0, place), root: frame });
    this.#frame = frame;
    this.#frameNames = selectors;
    this.#current = undefined;
    this.#list = [];
  }

  async evaluateInFrames(scope: Scope, body: string): Promise<void> {
    const { root } = this;
    const top = 'mainFrame' in root ? root.mainFrame() : root;
    await this.run(scope, async () => {
      for (const frame of withChildren(top)) await frame.evaluate(`(function () {${body}\n})()`);
    });
  }

  get archive(): string | undefined {
    return this.#shape.archive?.path;
  }

  async reshape(scope: Scope, change: Shape): Promise<string | null> {
    const { browser, context: before } = this.#launched;
    if (!browser) throw contextFixed();
    const shape = { ...this.#shape, ...change };
    await this.#door(scope, () => checkShape(shape));
    const { context, page } = await this.#door(scope, () => shapedContext(browser, shape, before));
    const finished = this.archive;
    this.capture.stop();
    this.hasClock = this.hasFixedTime = false;
    this.#launched.context = context;
    this.#shape = shape;
    this.#mocks.clear();
    this.#network = undefined;
    this.#enter(page);
    this.setTimeouts(this.timeouts);
    await this.#door(scope, () => this.#carryOver(context));
    await this.#door(scope, () => before.close());
    if (finished !== undefined) await this.#around.archived(finished);
    return finished ?? null;
  }

  async grant(scope: Scope, permissions: readonly string[], origin: string | undefined): Promise<void> {
    const grant = { permissions, origin };
    await this.#door(scope, () => giveGrant(this.context, grant));
    this.#grants.push(grant);
  }

  async revokeAll(scope: Scope): Promise<void> {
    this.#grants.length = 0;
    await this.#door(scope, () => this.context.clearPermissions());
  }

  async setPosition(scope: Scope, position: Position): Promise<void> {
    await this.#door(scope, () => this.context.setGeolocation(position));
    this.#position = position;
  }

  count(scope: Scope, selector: string): Promise<number> {
    return this.run(scope, () => this.root.locator(inLibraryForm(selector)).count(), { selector });
  }

  leaveFrames(): void {
    this.#frame = undefined;
    this.#frameNames = [];
  }

  async protocol(scope: Scope, method: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { page } = this;
    if (this.#launched.name !== 'chromium') throw notChromium({ command: method, browser: this.#launched.name });
    const opening = this.#channels.get(page) ?? this.context.newCDPSession(page);
    this.#channels.set(page, opening);
    return this.run(scope, async () => {
      const channel = await opening;
      if (method === networkMethod) this.#network = params;
      try {
        return await channel.send(method as 'Page.reload', params);
      } catch (error) {
        throw protocolFailure(error, method);
      }
    });
  }

  async resetChannels(scope: Scope): Promise<void> {
    for (const page of this.pages) {
      const opening = this.#channels.get(page);
      this.#channels.delete(page);
      // One whose page crashed is gone by itself.
      if (opening) await this.#door(scope, () => opening.then((channel) => channel.detach())).catch(() => undefined);
    }
  }

  async mock(scope: Scope, pattern: string, answer: MockAnswer | Replay): Promise<void> {
    await this.run(scope, (page) => routeTo(page, pattern, answer));
    this.#mocks.set(pattern, answer);
  }

  async unmock(scope: Scope, pattern?: string): Promise<void> {
    await this.run(scope, (page) => (pattern === undefined ? page.unrouteAll() : page.unroute(pattern)));
    if (pattern === undefined) this.#mocks.clear();
    else this.#mocks.delete(pattern);
  }

  /** Remembers pages, address, cookies, stores, mocks, limits and elements; what it yields brings them back. */
  async save(scope: () => Scope): Promise<() => Promise<void>> {
    const [page, frame, current, list, timeouts] = [this.page, this.#frame, this.#current, this.#list, this.timeouts];
    const frameNames = this.#frameNames;
    const inPage = this.#atTop(page);
    const mocks = new Map(this.#mocks);
    const restoreSettings = this.#saveSettings(scope);
    const restoreContext = await this.#bounded(saveContext(this.#launched.context, page, inPage, scope), scope());
    return async () => {
      const now = (await restoreSettings()) ? this.page : page;
      await this.#bounded(this.#restoreMocks(now, mocks), scope());
      const at = { context: this.context, page: now, inPage: this.#atTop(now) };
      const isSame = await this.#bounded(restoreContext(at), scope());
      this.#page = now;
      this.#frame = isSame && frame?.isDetached() === false ? frame : undefined;
      this.#frameNames = this.#frame ? frameNames : [];
      this.setTimeouts(timeouts);
      this.#current = isSame ? current : undefined;
      this.#list = isSame ? list : [];
    };
  }

  /**
   * Remembers what was set for all pages: shape, clock, permissions, position, network and size. What it yields brings
   * that back, and says whether a new page was needed for it: neither a clock nor a language can be taken from one.
   */
  #saveSettings(scope: () => Scope): () => Promise<boolean> {
    const { context, hasClock, hasFixedTime } = this;
    const [shape, grants, position, network] = [this.#shape, [...this.#grants], this.#position, this.#network];
    const size = this.page.viewportSize();
    return async () => {
      const isNew = this.context !== context || this.hasClock !== hasClock || this.hasFixedTime !== hasFixedTime;
      if (isNew) await this.reshape(scope(), { ...plainShape, ...shape });
      if (grants.length !== this.#grants.length || grants.some((grant, index) => grant !== this.#grants[index])) {
        await this.revokeAll(scope());
        for (const { permissions, origin } of grants) await this.grant(scope(), permissions, origin);
      }
      if (position !== this.#position) {
        await this.#door(scope(), () => this.context.setGeolocation(position ?? null));
        this.#position = position;
      }
      if (network !== this.#network && !this.page.isClosed()) {
        await this.protocol(scope(), networkMethod, network ?? unlimited);
        this.#network = network;
      }
      const before = this.page.viewportSize();
      if (size && (before?.width !== size.width || before.height !== size.height))
        await this.run(scope(), (page) => page.setViewportSize(size));
      return isNew;
    };
  }

  picture(scope: Scope, options: { readonly fullPage: boolean; readonly type: 'png' | 'jpeg' }): Promise<Uint8Array> {
    return this.run(scope, (page) => page.screenshot(options));
  }

  async evidence(signal: AbortSignal): Promise<readonly Evidence[]> {
    const { page } = this;
    return pageEvidence(
      {
        scripts: this.#atTop(page),
        documents: async (_, work) => {
          let allDid = true;
          for (const frame of page.frames()) {
            const did = await within(
              work(this.#in(frame)).then(() => true),
              detailMs,
            );
            if (did !== true && !frame.isDetached()) allDid = false;
          }
          return allDid;
        },
        picture: (scope) => this.picture(scope, { fullPage: false, type: 'png' }),
        console: (scope) => this.run(scope, async () => [...(await said(page)), ...(await broken(page))]),
        place: async (scope) => [await this.run(scope, () => page.title()), page.url()],
      },
      signal,
      this.#around.masked,
    );
  }

  #atTop(page: Page): PageScripts {
    return this.#in(page);
  }

  #in(page: Page | Frame): PageScripts {
    return {
      evaluate: ({ signal }, body, args) =>
        this.#bounded(evaluateIn(page, `(args) => (function () {${body}\n}).apply(null, args)`, args), { signal }),
    };
  }

  async #restoreMocks(page: Page, mocks: ReadonlyMap<string, MockAnswer | Replay>): Promise<void> {
    const isSame =
      mocks.size === this.#mocks.size && [...mocks].every(([key, value]) => this.#mocks.get(key) === value);
    if (isSame || page.isClosed()) return;
    await page.unrouteAll();
    this.#mocks.clear();
    for (const [pattern, answer] of mocks) {
      await routeTo(page, pattern, answer);
      this.#mocks.set(pattern, answer);
    }
  }

  async #carryOver(context: BrowserContext): Promise<void> {
    for (const grant of this.#grants) await giveGrant(context, grant);
    if (this.#position) await context.setGeolocation(this.#position);
  }

  #enter(page: Page): void {
    this.#page = page;
    this.leaveFrames();
    this.#current = undefined;
    this.#list = [];
  }

  async #frameIn(
    scope: Scope,
    about: { readonly selector: string; readonly frames: readonly string[]; readonly root: Frame | undefined },
  ): Promise<Frame> {
    const { signal } = scope;
    const { selector, frames, root } = about;
    return this.run(
      scope,
      async (page) => {
        const element = await (root ?? page).locator(inLibraryForm(selector)).elementHandle({ signal });
        const frame = await element.contentFrame();
        await element.dispose();
        if (!frame) throw elementNotReady({ selector: quoted(selector, frames), reason: 'it is no frame' });
        return frame;
      },
      about,
    );
  }

  /** A call that needs no open page. */
  async #door<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    scope.signal.throwIfAborted();
    try {
      return await this.#bounded(work(), scope);
    } catch (error) {
      scope.signal.throwIfAborted();
      throw failureOf(plain(error), {});
    }
  }

  /**
   * Longest time (ms) that one call may go without an answer: the configured one, but never less than what it waits
   * itself.
   */
  #limitMs(timeout: number): number {
    const given = this.#settings.limits?.browser_call_ms;
    if (given !== undefined) return Math.max(given, timeout + detailMs);
    return Math.max(BROWSER_CALL_MS, Math.max(timeout, this.timeouts.action, this.timeouts.navigation) + allowanceMs);
  }

  /** A renderer that hangs answers nothing, and the library waits for ever: then the browser is ended. */
  async #bounded<T>(call: Promise<T>, { signal }: Scope, timeout = 0): Promise<T> {
    const ms = this.#limitMs(timeout);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(browserNotAnswering({ seconds: ms / 1000 })), ms);
    try {
      return await abortable(call, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      if (late.signal.aborted && !signal.aborted) this.#launched.process?.kill();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Time that ran out on an element: it is not there, or something stands in its way. */
  async #failure(error: unknown, subject: Subject, ms: number): Promise<unknown> {
    const about = { frames: this.#frameNames, root: this.#frame, ...subject };
    const { selector, waiting, frames } = about;
    if (error instanceof Error && selector !== undefined && /strict mode violation/.test(error.message))
      return this.#several({ ...about, selector }, error, ms);
    if (!(error instanceof Error) || error.name !== 'TimeoutError' || selector === undefined || waiting !== undefined)
      return failureOf(error, about);
    const seconds = secondsOf(error, about);
    const look = await within(this.#lookAt(selector, about.root ?? this.#page), ms);
    if (look?.isThere === false) return this.#notFound({ selector, frames }, seconds, ms);
    return elementNotReady({
      selector: quoted(selector, frames),
      reason: `${look?.words ?? hindrance(error) ?? 'it did not become ready'}; waited ${seconds} s`,
      cause: error,
    });
  }

  async #several(
    { selector, frames, root }: Subject & { readonly selector: string },
    cause: Error,
    ms: number,
  ): Promise<Failure> {
    const count = Number(/resolved to (\d+) elements/.exec(cause.message)?.[1]);
    const place = root ?? this.#page;
    const naming = place.$$(inLibraryForm(selector)).then((elements) => askOf(place, describeElements, elements));
    const names = await within(naming, ms);
    return elementAmbiguous({ selector: quoted(selector, frames), count, elements: listed(names, count), cause });
  }

  /** Obstacle at this moment, in the words of both engines; no words where there is none. */
  async #lookAt(
    selector: string,
    root: Page | Frame,
  ): Promise<{ readonly isThere: boolean; readonly words?: string | undefined }> {
    const element = await root.$(inLibraryForm(selector));
    if (!element) return { isThere: false };
    const answer = await askOf(root, `(elements) => (${readiness})(elements[0], ${actionChecks})`, [element]);
    return { isThere: true, words: notReady(answer)?.words };
  }

  async #notFound(
    { selector, frames }: { readonly selector: string; readonly frames: readonly string[] },
    seconds: number,
    ms: number,
  ): Promise<Failure> {
    const title = (await within(this.#page.title(), ms)) ?? '';
    const waits = `WR_pw_wait_for_selector: { selector: ${quoted(selector)} }`;
    const found = await within(this.root.evaluate(`(${nearest})(${JSON.stringify(selector)})`), ms);
    const near = nearestTo(selector, found, waits);
    return elementNotFound({
      ...near,
      selector: quoted(selector, frames),
      title,
      url: this.#page.url(),
      seconds,
      waits,
    });
  }
}

/** Answer of a function of elements, a text; the elements are let go. */
async function askOf(root: Page | Frame, body: string, elements: readonly ElementHandle[]): Promise<unknown> {
  const script = await root.evaluateHandle<(given: readonly unknown[]) => unknown>(`(${body})`);
  try {
    return await script.evaluate((run, given) => run(given), elements);
  } finally {
    await Promise.all([script, ...elements].map((handle) => handle.dispose()));
  }
}

/** A text that is a function is called; the library would only evaluate it. */
async function evaluateIn(page: Page | Frame, expression: string, arg: unknown): Promise<unknown> {
  const value = await page.evaluateHandle(expression);
  try {
    const result: unknown = await value.evaluate(
      (found: unknown, given: unknown) =>
        typeof found === 'function' ? (found as (given: unknown) => unknown)(given) : found,
      arg,
    );
    return result ?? null;
  } finally {
    await value.dispose();
  }
}

/** The last messages of a page's console, a line each. */
async function said(page: Page): Promise<readonly string[]> {
  return (await page.consoleMessages({ filter: 'since-navigation' })).map(
    (message) => `${message.type()}: ${message.text()}`,
  );
}

/** Errors of a page that nothing caught. */
async function broken(page: Page): Promise<readonly string[]> {
  return (await page.pageErrors({ filter: 'since-navigation' })).map(({ message }) => `not caught: ${message}`);
}

function withChildren(frame: Frame): readonly Frame[] {
  return [frame, ...frame.childFrames().flatMap(withChildren)];
}

async function giveGrant(
  context: BrowserContext,
  { permissions, origin }: { readonly permissions: readonly string[]; readonly origin: string | undefined },
): Promise<void> {
  try {
    await context.grantPermissions([...permissions], origin === undefined ? {} : { origin });
  } catch (error) {
    if (!(error instanceof Error) || !/permission/i.test(error.message)) throw error;
    throw pageSettingRefused({
      setting: 'permission',
      value: permissions.join(', '),
      reason: reasonOf(error),
      cause: error,
    });
  }
}

function pageAt(pages: readonly Page[], index: number): Page {
  const page = pages[index];
  if (!page) throw pageIndexOutOfRange({ index, count: pages.length });
  return page;
}

function protocolFailure(error: unknown, method: string): unknown {
  if (!(error instanceof Error)) return error;
  if (/'[\w.]+' wasn't found/.test(error.message)) return protocolCommandUnknown({ name: method, cause: error });
  if (/Protocol error/.test(error.message)) return browserRefused({ reason: reasonOf(error), cause: error });
  return error;
}

async function routeTo(page: Page, pattern: string, answer: MockAnswer | Replay): Promise<void> {
  if ('archive' in answer) return page.routeFromHAR(answer.archive, { url: pattern, notFound: answer.notFound });
  const { contentType, headers, ...rest } = answer;
  const whole = { ...rest, headers: { ...headers }, ...(contentType === undefined ? {} : { contentType }) };
  // A request whose page is left meanwhile needs no answer any more.
  await page.route(pattern, (route) => route.fulfill(whole).catch(() => undefined));
}
