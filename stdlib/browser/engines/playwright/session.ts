import type { BrowserContext, Frame, Page } from 'playwright-core';

import type { Base, Evidence, PortContext, Settings } from '#runtime/kernel/ports.ts';
import { contextFixed } from '#schemas/generated/failures.ts';

import { abortable, within } from '../shared/abortable.ts';
import { addressFor } from '../shared/address.ts';
import type { PageScripts } from '../page/page-scripts.ts';
import { pageEvidence } from '../shared/page-evidence.ts';
import { saidByProxy } from '../shared/said-by-proxy.ts';
import type { Sought } from '../shared/sought.ts';
import { Capture } from './capture.ts';
import { Channels } from './channels.ts';
import { Door } from './door.ts';
import { unwrapped } from './element-ref.ts';
import { Elements } from './elements.ts';
import { scriptFailure } from './failure-of.ts';
import { Grants } from './grants.ts';
import { evaluateIn } from './in-page.ts';
import type { Launched } from './launch.ts';
import { Mocks } from './mocks.ts';
import { Pages } from './pages.ts';
import { Place } from './place.ts';
import { plain } from './plain.ts';
import { saveContext } from './saved-state.ts';
import { checkShape, shapedContext } from './shape.ts';
import type {
  Arrival,
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

/** Time (ms) for an answer that only adds to what is kept of a page. */
const detailMs = 1000;
/** Nothing imitated. */
const plainShape: Shape = { device: undefined, locale: undefined, acceptLanguage: undefined, timezone: undefined };

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

/** The open browser of the second engine. What has a file of its own is called here by its name in the port. */
export class PlaywrightBrowserSession implements PlaywrightSession {
  readonly capture = new Capture();
  hasClock = false;
  hasFixedTime = false;
  readonly #launched: Launched;
  readonly #around: SessionAround;
  readonly #place: Place;
  readonly #door: Door;
  readonly #elements: Elements;
  readonly #pages: Pages;
  readonly #channels: Channels;
  readonly #mocks: Mocks;
  readonly #grants: Grants;
  #shape: Shape;

  constructor(launched: Launched, page: Page, around: SessionAround) {
    this.#launched = launched;
    this.#around = around;
    this.#place = new Place(launched, page);
    this.#door = new Door(launched, this.#place, around);
    this.#elements = new Elements(this.#door, this.#place);
    this.#pages = new Pages(launched, this.#door, this.#place);
    this.#channels = new Channels(launched, this.#door, this.#place);
    this.#mocks = new Mocks(this.#door);
    this.#grants = new Grants(launched, this.#door);
    this.#shape = { archive: around.archive };
  }

  get page(): Page {
    return this.#place.page;
  }

  get pages(): readonly Page[] {
    return this.#place.pages;
  }

  get context(): BrowserContext {
    return this.#launched.context;
  }

  get root(): Page | Frame {
    return this.#place.root;
  }

  get timeouts(): Door['timeouts'] {
    return this.#door.timeouts;
  }

  setTimeouts(timeouts: { readonly action?: number; readonly navigation?: number }): void {
    this.#door.setTimeouts(timeouts);
  }

  actionMs(scope: Scope): number {
    return this.#door.actionMs(scope);
  }

  run<T>(scope: Scope, work: (page: Page) => Promise<T>, about?: Subject): Promise<T> {
    return this.#door.run(scope, work, about);
  }

  async open(scope: Base, url: string, waitUntil: Arrival): Promise<void> {
    const address = addressFor(url, scope, this.#around.settings);
    this.leaveFrames();
    await saidByProxy(this.#launched.proxy, async () => {
      const { archive } = this.#mocks;
      await this.run(scope, (page) => page.goto(address, { signal: scope.signal, waitUntil }), {
        url: address,
        archive,
      });
    });
  }

  find(scope: Scope, selector: string): Promise<ElementRef | null> {
    return this.#elements.find(scope, selector);
  }

  mustFind(scope: Scope, sought: Sought<string>): Promise<ElementRef> {
    return this.#elements.mustFind(scope, sought);
  }

  findAll(scope: Scope, sought: Sought<string>): Promise<readonly ElementRef[]> {
    return this.#elements.findAll(scope, sought);
  }

  chooseElement(index: number): void {
    this.#elements.choose(index);
  }

  only<T>(scope: Scope, selector: string | undefined, work: (target: Target) => Promise<T>): Promise<T> {
    return this.#elements.only(scope, selector, work);
  }

  drag(scope: Scope, from: string, onto: string): Promise<void> {
    return this.#elements.drag(scope, from, onto);
  }

  element<T>(scope: Scope, selector: string | undefined, work: (target: Target) => Promise<T>): Promise<T> {
    return this.#elements.element(scope, selector, work);
  }

  waitFor(
    scope: Scope,
    selector: string,
    state: ElementState,
    timeout: number | undefined,
  ): Promise<ElementRef | null> {
    return this.#elements.waitFor(scope, selector, state, timeout);
  }

  count(scope: Scope, selector: string): Promise<number> {
    return this.#elements.count(scope, selector);
  }

  async evaluate(scope: Scope, expression: string, arg: unknown): Promise<unknown> {
    scope.signal.throwIfAborted();
    try {
      return await this.#door.bounded(evaluateIn(this.root, expression, unwrapped(arg)), scope);
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
      const { reason } = outcome ?? { reason: `it was still coming after ${ms / 1000} s` };
      return { name: download.suggestedFilename(), reason, content: () => download.createReadStream() };
    } finally {
      // A download that nobody waits for any more goes; one that is whole stays.
      await within(download.cancel(), detailMs);
    }
  }

  newPage(scope: Scope): Promise<number> {
    return this.#pages.open(scope);
  }

  closePage(scope: Scope, index: number | undefined): Promise<void> {
    return this.#pages.close(scope, index);
  }

  choosePage(scope: Scope, index: number): Promise<void> {
    return this.#pages.choose(scope, index);
  }

  enterFrames(scope: Scope, selectors: readonly string[]): Promise<void> {
    return this.#pages.enterFrames(scope, selectors);
  }

  leaveFrames(): void {
    this.#place.goInto(undefined);
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
    await this.#door.outside(scope, () => checkShape(shape));
    // A device brings a size of its own, and what ends its imitation takes it back.
    const size = 'device' in change ? null : this.#place.shown.viewportSize();
    const { context, page } = await this.#door.outside(scope, () => shapedContext(browser, { shape, size }, before));
    const finished = this.archive;
    this.capture.follow(page);
    this.hasClock = this.hasFixedTime = false;
    this.#launched.context = context;
    this.#shape = shape;
    this.#mocks.forget();
    this.#channels.network = undefined;
    this.#place.enter(page);
    this.setTimeouts(this.timeouts);
    await this.#door.outside(scope, () => this.#grants.carryOver(context));
    await this.#door.outside(scope, () => before.close());
    if (finished !== undefined) await this.#around.archived(finished);
    return finished ?? null;
  }

  grant(scope: Scope, permissions: readonly string[], origin: string | undefined): Promise<void> {
    return this.#grants.give(scope, { permissions, origin });
  }

  revokeAll(scope: Scope): Promise<void> {
    return this.#grants.revokeAll(scope);
  }

  setPosition(scope: Scope, position: Position): Promise<void> {
    return this.#grants.setPosition(scope, position);
  }

  protocol(scope: Scope, method: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
    return this.#channels.send(scope, method, params);
  }

  resetChannels(scope: Scope): Promise<void> {
    return this.#channels.close(scope);
  }

  mock(scope: Scope, pattern: string, answer: MockAnswer | Replay): Promise<void> {
    return this.#mocks.add(scope, pattern, answer);
  }

  unmock(scope: Scope, pattern?: string): Promise<void> {
    return this.#mocks.remove(scope, pattern);
  }

  /** Remembers pages, address, cookies, stores, mocks, limits and elements; what it yields brings them back. */
  async save(scope: () => Scope): Promise<() => Promise<void>> {
    const { page, frame, frameNames, held } = this.#place;
    const { timeouts } = this;
    const { answers } = this.#mocks;
    const restoreSettings = this.#saveSettings(scope);
    const restoreContext = await this.#door.bounded(saveContext(this.context, page, this.#in(page), scope), scope());
    return async () => {
      const now = (await restoreSettings()) ? this.page : page;
      await this.#door.bounded(this.#mocks.restore(now, answers), scope());
      const at = { context: this.context, page: now, inPage: this.#in(now) };
      const isSame = await this.#door.bounded(restoreContext(at), scope());
      this.#place.enter(now);
      if (isSame && frame?.isDetached() === false) this.#place.goInto(frame, frameNames);
      if (isSame) this.#place.hold(held);
      this.setTimeouts(timeouts);
    };
  }

  /**
   * Remembers what was set for all pages: shape, clock, permissions, position, network and size. What it yields brings
   * that back, and says whether a new page was needed for it: neither a clock nor a language can be taken from one.
   */
  #saveSettings(scope: () => Scope): () => Promise<boolean> {
    const { context, hasClock, hasFixedTime } = this;
    const [shape, network] = [this.#shape, this.#channels.network];
    const restoreGrants = this.#grants.save();
    const size = this.page.viewportSize();
    return async () => {
      const isNew = this.context !== context || this.hasClock !== hasClock || this.hasFixedTime !== hasFixedTime;
      if (isNew) await this.reshape(scope(), { ...plainShape, ...shape });
      await restoreGrants(scope);
      await this.#channels.restoreNetwork(scope(), network);
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
        scripts: this.#in(page),
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

  #in(page: Page | Frame): PageScripts {
    return {
      evaluate: ({ signal }, body, args) =>
        this.#door.bounded(evaluateIn(page, `(args) => (function () {${body}\n}).apply(null, args)`, args), { signal }),
    };
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
