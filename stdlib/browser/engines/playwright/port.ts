import type { BrowserContext, ElementHandle, Frame, Locator, Page } from 'playwright-core';

import type { Base, Evidence } from '#runtime/kernel/ports.ts';
import type { Json } from '#schemas/types/json.ts';

import type { Sought } from '../shared/sought.ts';
import type { Problems, SeenMessage, SeenResponse } from './capture.ts';

/** The second engine: one browser, one context and their pages, of which one is current. */
export interface PlaywrightPort {
  /** Fails where no page is open. */
  readonly session: PlaywrightSession;
  /** A browser was launched and not closed. */
  readonly isOpen: boolean;
  /** Starts a browser with one context and one page. One that was open before is closed first. */
  launch(scope: Base, wanted: Launch): Promise<void>;
  /** Closes everything and forgets the current element. Does nothing where nothing is open. */
  quit(): Promise<void>;
  /** Names of the devices that can be imitated, sorted. */
  deviceNames(): Promise<readonly string[]>;
  /** The switches that load an unpacked extension. */
  extensionSwitches(folder: string): Promise<readonly [string, string]>;
  /** Tells the user of the run something that is no failure. */
  warn(text: string): void;
  /** Runs the body of a function in the current page. */
  evaluate(scope: Scope, body: string, args: readonly Json[]): Promise<unknown>;
  /** Runs the body of a function in the current page, or frame, and in every frame inside it. */
  evaluateInFrames(scope: Scope, body: string): Promise<void>;
}

/** Cancellation signal of a step, and the time at which its time limit ends. */
export type Scope = Pick<Base, 'signal'> & { readonly step?: Pick<Base['step'], 'deadline'> };
export type { ElementHandle, Frame, Locator, Page } from 'playwright-core';

export interface Launch {
  readonly browser: 'chromium' | 'firefox' | 'webkit';
  readonly headless: boolean;
  readonly archive: { readonly path: string; readonly content: 'omit' | 'embed' | 'attach' } | undefined;
  /** Folder of a profile that is kept. */
  readonly profile: string | undefined;
  /** Launcher options in snake or camel case. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** The machine as pages see it, and whether their traffic is recorded. */
export interface Shape {
  /** A name of the library's table. */
  readonly device?: string | undefined;
  readonly locale?: string | undefined;
  readonly acceptLanguage?: string | undefined;
  readonly timezone?: string | undefined;
  readonly archive?: Launch['archive'];
}

/** State of a page that an opening waits for. */
export type Arrival = 'commit' | 'domcontentloaded' | 'load' | 'networkidle';

/** Target of element commands: both share the methods that are used. */
export type Target = Locator | ElementHandle;

/** A download that has ended, or was not waited for any longer. */
export interface Downloaded {
  /** As the page gave it. */
  readonly name: string;
  /** Reason why it is not whole; undefined: it is. */
  readonly reason: string | undefined;
  /** Yields what came; for those that are whole. */
  content(): Promise<AsyncIterable<Uint8Array>>;
}

export interface PlaywrightSession {
  /** Fails where the current page is closed. */
  readonly page: Page;
  /** All open pages in the order in which they were opened, those that sites opened too. */
  readonly pages: readonly Page[];
  readonly context: BrowserContext;
  /**
   * Frame or page in which selectors and scripts look: the current frame, else the current page. Fails where
   * the frame is gone.
   */
  readonly root: Page | Frame;
  /** Milliseconds; 0: none. */
  readonly timeouts: { readonly action: number; readonly navigation: number };
  /** Time (ms) that an action of this step may wait for its element; 0: without end. */
  actionMs(scope: Scope): number;
  readonly capture: PageCapture;
  /** Runs calls of the library: ended by the signal, their errors turned into failures of the catalogue. */
  run<T>(scope: Scope, work: (page: Page) => Promise<T>, about?: Subject): Promise<T>;
  /** Opens an address, completed by `meta.base_url`. */
  open(scope: Base, url: string, waitUntil: Arrival): Promise<void>;
  /** Sets the limits (ms) of all pages of the context, those made later included. */
  setTimeouts(timeouts: { readonly action?: number; readonly navigation?: number }): void;
  /** The first match becomes current; without a match none is current. */
  find(scope: Scope, selector: string): Promise<ElementRef | null>;
  /** The same; a miss fails. */
  mustFind(scope: Scope, sought: Sought<string>): Promise<ElementRef>;
  /** The matches become the current list and the first one current; without a match none is current. */
  findAll(scope: Scope, sought: Sought<string>): Promise<readonly ElementRef[]>;
  chooseElement(index: number): void;
  /** Works on the first match of the selector, else on the current element; fails where there is none. */
  element<T>(scope: Scope, selector: string | undefined, work: (target: Target) => Promise<T>): Promise<T>;
  /** The same, and fails where several elements match. */
  only<T>(scope: Scope, selector: string | undefined, work: (target: Target) => Promise<T>): Promise<T>;
  /** Drags the only match of one selector onto the only match of another. */
  drag(scope: Scope, from: string, onto: string): Promise<void>;
  /**
   * Clicks the first match and waits `ms` until the file that this starts is whole, or broken; undefined: none was
   * started.
   */
  download(scope: Scope, selector: string, ms: number): Promise<Downloaded | undefined>;
  /** Waits for a state of the first match. The match becomes current. */
  waitFor(scope: Scope, selector: string, state: ElementState, timeout: number | undefined): Promise<ElementRef | null>;
  /** An expression, or a function that is called with `arg`. Elements go in as handles. */
  evaluate(scope: Scope, expression: string, arg: unknown): Promise<unknown>;
  /** Opens a page and makes it current. Yields its place among the pages. */
  newPage(scope: Scope): Promise<number>;
  /** Closes one page, else the current one: then the next page becomes current, where there is one. */
  closePage(scope: Scope, index: number | undefined): Promise<void>;
  /** Makes the page at the index current; one that is just opening is waited for. */
  choosePage(scope: Scope, index: number): Promise<void>;
  /**
   * Makes the innermost of a chain of frames current, from the top of the page; an empty chain is the page. A miss
   * changes nothing.
   */
  enterFrames(scope: Scope, selectors: readonly string[]): Promise<void>;
  /**
   * Changes what is named, in a new context with one blank page: cookies, storage, permissions, position, time limits,
   * a capture and, unless it names the device, the size of the page come along; pages, mocks and a clock do not.
   * Options that cannot be are refused before anything is closed. Yields the archive that was finished by it.
   */
  reshape(scope: Scope, change: Shape): Promise<string | null>;
  /** Path of the archive that is being recorded. */
  readonly archive: string | undefined;
  grant(scope: Scope, permissions: readonly string[], origin: string | undefined): Promise<void>;
  revokeAll(scope: Scope): Promise<void>;
  /**
   * Answers requests of the current page for addresses of this pattern in the place of their server. A later one of the
   * same pattern counts.
   */
  mock(scope: Scope, pattern: string, answer: MockAnswer | Replay): Promise<void>;
  /** Takes the mocks of a pattern back, or all. */
  unmock(scope: Scope, pattern?: string): Promise<void>;
  setPosition(scope: Scope, position: Position): Promise<void>;
  /** The clock of the pages was replaced. */
  hasClock: boolean;
  /** The time of the pages stands still. */
  hasFixedTime: boolean;
  /** Number of elements that match. */
  count(scope: Scope, selector: string): Promise<number>;
  /** Back to the top of the page. */
  leaveFrames(): void;
  /** One command of the debugging protocol, on the channel of the current page. */
  protocol(scope: Scope, method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Closes the channels of the debugging protocol. */
  resetChannels(scope: Scope): Promise<void>;
  picture(scope: Scope, options: { readonly fullPage: boolean; readonly type: 'png' | 'jpeg' }): Promise<Uint8Array>;
  evidence(signal: AbortSignal): Promise<readonly Evidence[]>;
}

export interface MockAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;
}

/** Answers out of a network archive; what it does not hold fails, or goes to the server. */
export interface Replay {
  readonly archive: string;
  readonly notFound: 'abort' | 'fallback';
}

export type ElementState = 'attached' | 'detached' | 'visible' | 'hidden';

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
  /** Metres. */
  readonly accuracy?: number;
}

/** Record of the current page from the start of a capture on. */
export interface PageCapture {
  start(page: Page): void;
  stop(): void;
  clear(): void;
  readonly messages: readonly SeenMessage[];
  readonly responses: readonly SeenResponse[];
  /** Errors of the console; all three fail where no capture was ever started. */
  readonly errors: Problems;
  readonly refused: Problems;
  readonly broken: Problems;
}
export type { Problems } from './capture.ts';

/** Subject of a call, for messages. */
export interface Subject {
  readonly selector?: string;
  /** Selectors of the frames in which it is looked for; those of the current frame where nothing is said. */
  readonly frames?: readonly string[];
  /** The innermost of these frames; absent at the top of the page. */
  readonly root?: Frame | undefined;
  readonly url?: string;
  /** Path of the archive that answers in place of the servers. */
  readonly archive?: string | undefined;
  /** Words for what was waited for and did not come about, where the call does nothing else. */
  readonly waiting?: string;
  /** Milliseconds that were given. */
  readonly timeout?: number;
}

/** An element as a step's result. */
export type ElementRef = {
  readonly $handle: 'element';
};

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly playwright: PlaywrightPort;
  }
}
