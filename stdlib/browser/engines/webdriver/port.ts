import type { Actions, WebDriver, WebElement } from 'selenium-webdriver';

import type { Base, Evidence } from '#runtime/kernel/ports.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { BrowserName } from '../browsers/known-browsers.ts';
import type { Check } from '../page/readiness.ts';
import type { Sought } from '../shared/sought.ts';
import type { Locator } from '../test-objects/locator.ts';
import type { Seen } from './when-ready.ts';

export type { Seen } from './when-ready.ts';

/** A line of a log; a type, since a command yields it as plain data. */
export type LogEntry = { readonly level: string; readonly message: string; readonly timestamp: number };

/** The first engine: sessions of a unit, of which one is current. */
export interface WebDriverPort {
  /** Sessions in the order of their start. */
  readonly sessions: readonly WebDriverSession[];
  /** Fails where no session is open. */
  readonly current: WebDriverSession;
  /**
   * Starts a browser; the new session joins the list and becomes current. A failed start leaves the others as they are.
   */
  start(scope: Base, browser: BrowserName, options: NewSession): Promise<WebDriverSession>;
  /**
   * Opens a session on a hub with exactly these capabilities. It always joins the list; `register` makes it current.
   */
  connect(scope: Base, hub: string, capabilities: Values, register: boolean): Promise<WebDriverSession>;
  /** Makes the session at this place of the list the current one. */
  choose(index: number): void;
  /** Closes the current session, if there is one. */
  quit(): Promise<void>;
  /** Closes all, each one tried; then fails if some did not close in order. */
  quitAll(): Promise<void>;
  /** Adds capabilities for every later local start of this unit; yields all that wait. */
  prepare(capabilities: Values): Values;
  /** Options of the Chromium family that load an extension, added to those given. */
  optionsWithExtension(path: string, options: Values): Promise<Values>;
  /** Runs the body of a function in the page of the current session. */
  evaluate(scope: Scope, body: string, args: readonly Json[]): Promise<unknown>;
  /** Runs the body of a function in the current page, or frame, and in every frame inside it. */
  evaluateInFrames(scope: Scope, body: string): Promise<void>;
}

/** JSON that came through a declaration. */
export type Values = Readonly<Record<string, unknown>>;

/** The start parameters of commands. */
export interface NewSession {
  readonly options: readonly string[];
  readonly experimental_options: Values | undefined;
  readonly extension_paths: readonly string[];
  readonly enable_bidi: boolean;
}

/** Cancellation signal of a step, and the time at which its time limit ends. */
export type Scope = Pick<Base, 'signal'> & { readonly step?: Pick<Base['step'], 'deadline'> };
export type { Actions, WebDriver, WebElement } from 'selenium-webdriver';

export interface WebDriverSession {
  readonly id: string;
  readonly browser: string;
  readonly ref: SessionRef;
  readonly capabilities: JsonObject;
  /** The browser speaks the debugging protocol. */
  readonly chromium: boolean;
  readonly timeouts: Timeouts;
  /** Recorder of the user's actions in its pages, while one runs. */
  recording: Recording | undefined;
  /** Runs calls of the library: bounded, ended by the signal, its errors turned into failures of the catalogue. */
  run<T>(scope: Scope, work: (driver: WebDriver) => Promise<T>, about?: Subject): Promise<T>;
  /** Opens an address, completed by `meta.base_url`. */
  open(scope: Base, url: string): Promise<void>;
  /** Goes to another page in a way of the driver's, and to its top. */
  navigate(scope: Scope, work: (driver: WebDriver) => Promise<void>): Promise<void>;
  /** Seconds, of the whole session. */
  setTimeouts(scope: Scope, timeouts: Partial<Timeouts>): Promise<void>;
  /**
   * Looks once, or as long as the implicit wait says. The hit becomes current; a miss leaves none current and fails.
   */
  find(scope: Scope, sought: Sought<Locator>): Promise<ElementRef>;
  /** Looks in the same way; undefined where nothing matches, and nothing becomes current. */
  lookup(scope: Scope, locator: Locator): Promise<WebElement | undefined>;
  /** Finds all that match now. The current element stays. */
  matches(scope: Scope, locator: Locator): Promise<readonly WebElement[]>;
  /** Looks in the same way for the one element that is meant: none fails, and so do several. The current one stays. */
  locate(scope: Scope, locator: Locator): Promise<WebElement>;
  /**
   * Makes the element that a script of ours finds the current one; where it finds none, none is current and the
   * answer is null.
   */
  findByScript(
    scope: Scope,
    search: { readonly body: string; readonly args: readonly Json[]; readonly locator: Locator },
  ): Promise<ElementRef | null>;
  /**
   * The hits become the current list; no hit is an empty list, and none is current then; else the current element
   * stays.
   */
  findAll(scope: Scope, sought: Sought<Locator>): Promise<readonly ElementRef[]>;
  /** Makes one of the current list the current element. */
  chooseElement(index: number): void;
  /** Works on the current element; fails where there is none. */
  element<T>(scope: Scope, work: (element: WebElement, current: CurrentElement) => Promise<T>): Promise<T>;
  /**
   * The same once the element passes the checks; where it does not in time, the failure says which check did not hold.
   * `looked` is called after each look at the element, ready or not.
   */
  act<T>(
    scope: Scope,
    checks: readonly Check[],
    work: (element: WebElement, seen: Seen) => Promise<T>,
    looked?: (seen: Seen) => void,
  ): Promise<T>;
  /** Frames in which it looks, as failures name them: ` in the frame css "#outer"`; empty at the top of a page. */
  readonly framed: string;
  /**
   * Asks until nothing is wrong any more, as long as an action may wait for its element. Undefined then; else what was
   * wrong in the end.
   */
  settled<T>(scope: Scope, ask: () => Promise<Doubt<T> | undefined>): Promise<Settled<T> | undefined>;
  /** Makes an element that a wait or a switch has found the current one. */
  setElement(element: WebElement, locator: Locator): Promise<ElementRef>;
  /**
   * Goes into frames, one inside the other, from the top of the page or from where it is. On a miss it stays where it
   * was.
   */
  enterFrames(scope: Scope, chain: readonly Locator[], from?: 'top' | 'here'): Promise<void>;
  /** Goes to the top of the page. */
  leaveFrames(scope: Scope): Promise<void>;
  /** Goes to the frame, or page, around the current frame. */
  leaveFrame(scope: Scope): Promise<void>;
  /** Goes to a window by its handle, else by the name that its page gave it. */
  chooseWindow(scope: Scope, name: string): Promise<void>;
  /** Input that waits for `performInput`. */
  queueInput(scope: Scope, work: (actions: Actions) => void): Promise<void>;
  performInput(scope: Scope): Promise<void>;
  /** Drops what waits and releases what is held down. */
  resetInput(scope: Scope): Promise<void>;
  /** One command of the debugging protocol; fails where the browser does not speak it. */
  protocol(scope: Scope, method: string, params: Values): Promise<unknown>;
  /**
   * Gives a script of ours to each document that the current window opens from now on, before its own run. Resolves
   * with what ends that; undefined where the browser cannot.
   */
  addScript(scope: Scope, source: string): Promise<EndScript | undefined>;
  /** A command of the WebDriver protocol by the library's name. Elements in its answer are handles. */
  command(scope: Scope, name: string, params: Values): Promise<unknown>;
  picture(scope: Scope): Promise<Uint8Array>;
  /** Takes what a log of the browser holds since it was last taken; a kind that there is not fails. */
  takeLog(scope: Scope, kind: string): Promise<readonly LogEntry[]>;
  /** Evidence of this session for a step that has failed. */
  evidence(signal: AbortSignal): Promise<readonly Evidence[]>;
}

/** Something that is not as it should be, and whether it can never be. */
export interface Doubt<T> {
  readonly wrong: T;
  readonly isFinal: boolean;
}

export interface Settled<T> {
  readonly wrong: T;
  /** Time that was waited. */
  readonly seconds: number;
}

/** Subject of a call, for messages. */
export interface Subject {
  readonly selector?: string;
  readonly url?: string;
  readonly command?: string;
}

export type EndScript = (scope: Scope) => Promise<void>;

export interface Recording {
  /** Address at which it began. */
  readonly address: string;
  /** Ends that new pages get the script, where the browser can do that. */
  readonly end?: EndScript;
}

/** Seconds. */
export interface Timeouts {
  readonly implicit: number;
  readonly pageLoad: number;
  readonly script: number;
}

export interface CurrentElement {
  readonly element: WebElement;
  /** Name in messages: strategy and value of its locator. */
  readonly name: string;
  readonly locator: Locator;
}

/** An element as a step's result: scripts of the page take it back as an argument. */
export type ElementRef = {
  readonly $handle: 'element';
  readonly 'element-6066-11e4-a52e-4f735466cecf': string;
};

/** A session as a step's result. */
export type SessionRef = {
  readonly $handle: 'session';
  readonly id: string;
  readonly browser: string;
};

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly webdriver: WebDriverPort;
  }
}
