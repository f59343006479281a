import type { Page } from 'playwright-core';

import type { Base, Evidence, Settings } from '#runtime/kernel/ports.ts';
import {
  browserNotAnswering,
  elementIndexOutOfRange,
  elementNotFound,
  elementNotReady,
  noBrowserPage,
  noCurrentElement,
} from '#schemas/generated/failures.ts';
import { BROWSER_CALL_MS } from '#schemas/generated/settings.ts';
import type { Failure } from '#schemas/types/failure.ts';

import { abortable, within } from '../shared/abortable.ts';
import { addressFor } from '../shared/address.ts';
import { pageEvidence } from '../shared/page-evidence.ts';
import { saidByProxy } from '../shared/said-by-proxy.ts';
import { PlaywrightElement, unwrapped } from './element-ref.ts';
import { failureOf, hindrance, quoted, scriptFailure, secondsOf } from './failure-of.ts';
import type { Launched } from './launch.ts';
import { plain } from './plain.ts';
import type { ElementRef, ElementState, PlaywrightSession, Scope, Subject, Target } from './port.ts';

/** The library's own limit, in milliseconds. */
const defaultMs = 30_000;
/** Time (ms) for an answer beside what a call itself may wait. */
const allowanceMs = 30_000;
/** The same for what only adds to the words of a failure. */
const detailMs = 1000;

interface Found {
  readonly ref: PlaywrightElement;
  readonly selector: string;
}

/** The open browser of the second engine: its current page and element, and the door through which every call goes. */
export class Session implements PlaywrightSession {
  timeouts = { action: defaultMs, navigation: defaultMs };
  readonly #launched: Launched;
  readonly #settings: Settings;
  #page: Page;
  #current: Found | undefined;
  #list: readonly Found[] = [];

  constructor(launched: Launched, page: Page, settings: Settings) {
    this.#launched = launched;
    this.#page = page;
    this.#settings = settings;
  }

  get page(): Page {
    if (this.#page.isClosed()) throw noBrowserPage();
    return this.#page;
  }

  async run<T>(scope: Scope, work: (page: Page) => Promise<T>, about: Subject = {}): Promise<T> {
    scope.signal.throwIfAborted();
    try {
      return await this.#bounded(work(this.page), scope, about.timeout);
    } catch (error) {
      scope.signal.throwIfAborted();
      throw await this.#failure(plain(error), about);
    }
  }

  async open(scope: Base, url: string): Promise<void> {
    const address = addressFor(url, scope, this.#settings);
    await saidByProxy(this.#launched.proxy, async () => {
      await this.run(scope, (page) => page.goto(address, { signal: scope.signal }), { url: address });
    });
  }

  setTimeouts({ action, navigation }: { readonly action?: number; readonly navigation?: number }): void {
    const { context } = this.#launched;
    if (action !== undefined) context.setDefaultTimeout(action);
    if (navigation !== undefined) context.setDefaultNavigationTimeout(navigation);
    this.timeouts = { action: action ?? this.timeouts.action, navigation: navigation ?? this.timeouts.navigation };
  }

  async find(scope: Scope, selector: string): Promise<ElementRef | null> {
    this.#current = undefined;
    const hit = await this.run(scope, (page) => page.$(selector), { selector });
    if (!hit) return null;
    this.#current = { ref: new PlaywrightElement(hit), selector };
    return this.#current.ref;
  }

  async mustFind(scope: Scope, selector: string): Promise<ElementRef> {
    const hit = await this.find(scope, selector);
    if (!hit) throw await this.#notFound(selector, 0);
    return hit;
  }

  async findAll(scope: Scope, selector: string): Promise<readonly ElementRef[]> {
    this.#list = [];
    this.#current = undefined;
    const hits = await this.run(scope, (page) => page.$$(selector), { selector });
    this.#list = hits.map((hit) => ({ ref: new PlaywrightElement(hit), selector }));
    this.#current = this.#list[0];
    return this.#list.map(({ ref }) => ref);
  }

  chooseElement(index: number): void {
    const chosen = this.#list[index];
    if (!chosen) throw elementIndexOutOfRange({ index, count: this.#list.length });
    this.#current = chosen;
  }

  async element<T>(scope: Scope, selector: string | undefined, work: (target: Target) => Promise<T>): Promise<T> {
    if (selector !== undefined) return this.run(scope, (page) => work(page.locator(selector).first()), { selector });
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
    const limit = timeout === undefined ? {} : { timeout };
    const about = { selector, waiting: `${selector} is ${state}`, ...limit };
    await this.run(
      scope,
      (page) =>
        page
          .locator(selector)
          .first()
          .waitFor({ state, signal: scope.signal, ...limit }),
      about,
    );
    return state === 'attached' || state === 'visible' ? this.find(scope, selector) : null;
  }

  async evaluate(scope: Scope, expression: string, arg: unknown): Promise<unknown> {
    scope.signal.throwIfAborted();
    try {
      return await this.#bounded(evaluateIn(this.page, expression, unwrapped(arg)), scope);
    } catch (error) {
      scope.signal.throwIfAborted();
      throw scriptFailure(plain(error));
    }
  }

  picture(scope: Scope, options: { readonly fullPage: boolean; readonly type: 'png' | 'jpeg' }): Promise<Uint8Array> {
    return this.run(scope, (page) => page.screenshot(options));
  }

  async evidence(signal: AbortSignal): Promise<readonly Evidence[]> {
    const bytes = await this.picture({ signal }, { fullPage: false, type: 'png' });
    return pageEvidence({ title: await this.run({ signal }, (page) => page.title()), url: this.page.url(), bytes });
  }

  /** Longest time (ms) that one call may go without an answer: the configured one, but never less than what it waits itself. */
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
  async #failure(error: unknown, about: Subject): Promise<unknown> {
    const { selector, waiting } = about;
    if (!(error instanceof Error) || error.name !== 'TimeoutError' || selector === undefined || waiting !== undefined)
      return failureOf(error, about);
    const seconds = secondsOf(error, about);
    if ((await this.#count(selector)) === 0) return this.#notFound(selector, seconds);
    return elementNotReady({
      selector: quoted(selector),
      reason: `${hindrance(error) ?? 'it did not become ready'}; waited ${seconds} s`,
      cause: error,
    });
  }

  async #count(selector: string): Promise<number> {
    return this.#page
      .locator(selector)
      .count()
      .catch(() => 1);
  }

  async #notFound(selector: string, seconds: number): Promise<Failure> {
    const title = (await within(this.#page.title(), detailMs)) ?? '';
    return elementNotFound({ selector: quoted(selector), title, url: this.#page.url(), seconds });
  }
}

/** A text that is a function is called; the library would only evaluate it. */
async function evaluateIn(page: Page, expression: string, arg: unknown): Promise<unknown> {
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
