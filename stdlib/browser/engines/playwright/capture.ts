import type { ConsoleMessage, Page, Request, Response } from 'playwright-core';

import { captureNotStarted } from '#schemas/generated/failures.ts';

/** Entries of each kind that are kept; the oldest go first. Assertions count all entries. */
const kept = 10_000;
/** Texts of problems that are kept for messages. */
const shown = 3;

export interface SeenMessage {
  /** The method of the console, or `pageerror` for an error that nothing caught. */
  readonly type: string;
  readonly text: string;
  readonly location: { readonly url: string; readonly line: number; readonly column: number };
}

export interface SeenResponse {
  readonly url: string;
  /** 0 where the request failed without an answer. */
  readonly status: number;
  readonly method: string;
  readonly ok: boolean;
  /** Reason why there is no answer. */
  readonly error?: string;
}

/** Number of problems, and the first of them. */
export interface Problems {
  readonly count: number;
  readonly first: readonly string[];
}

/** Record of a page while it is watched: console, errors, answers. */
export class Capture {
  #page: Page | undefined;
  #wasStarted = false;
  #messages: SeenMessage[] = [];
  #responses: SeenResponse[] = [];
  #errors: Problems = none;
  #refused: Problems = none;
  #broken: Problems = none;

  /** Watches this page, and no longer the one before. Earlier entries stay. */
  start(page: Page): void {
    this.stop();
    this.#page = page;
    this.#wasStarted = true;
    page.on('console', this.#onConsole).on('pageerror', this.#onError);
    page.on('response', this.#onResponse).on('requestfailed', this.#onFailed);
  }

  /** Goes on with this page, where one was being watched. */
  follow(page: Page): void {
    if (this.#page) this.start(page);
  }

  stop(): void {
    this.#page?.off('console', this.#onConsole).off('pageerror', this.#onError);
    this.#page?.off('response', this.#onResponse).off('requestfailed', this.#onFailed);
    this.#page = undefined;
  }

  clear(): void {
    this.#messages = [];
    this.#responses = [];
    this.#errors = this.#refused = this.#broken = none;
  }

  get messages(): readonly SeenMessage[] {
    return [...this.#messages];
  }

  get responses(): readonly SeenResponse[] {
    return [...this.#responses];
  }

  /** Errors of the console and those that nothing caught. Fails where nothing was ever watched. */
  get errors(): Problems {
    return this.#seen(this.#errors);
  }

  /** Answers with a status from 400 on. */
  get refused(): Problems {
    return this.#seen(this.#refused);
  }

  /** Answers with a status from 500 on. */
  get broken(): Problems {
    return this.#seen(this.#broken);
  }

  #seen(problems: Problems): Problems {
    if (!this.#wasStarted) throw captureNotStarted();
    return problems;
  }

  readonly #onConsole = (message: ConsoleMessage): void => {
    const { url, lineNumber, columnNumber } = message.location();
    const location = { url, line: lineNumber + 1, column: columnNumber + 1 };
    this.#say({ type: message.type(), text: message.text(), location });
  };

  readonly #onError = (error: Error): void => {
    this.#say({
      type: 'pageerror',
      text: error.message,
      location: { url: this.#page?.url() ?? '', line: 0, column: 0 },
    });
  };

  readonly #onResponse = (response: Response): void => {
    const status = response.status();
    const seen = { url: response.url(), status, method: response.request().method(), ok: response.ok() };
    add(this.#responses, seen);
    const line = `${seen.method} ${seen.url}: ${status}`;
    if (status >= 400) this.#refused = counted(this.#refused, line);
    if (status >= 500) this.#broken = counted(this.#broken, line);
  };

  readonly #onFailed = (request: Request): void => {
    const error = request.failure()?.errorText ?? 'it failed';
    add(this.#responses, { url: request.url(), status: 0, method: request.method(), ok: false, error });
  };

  #say(message: SeenMessage): void {
    add(this.#messages, message);
    if (message.type === 'error' || message.type === 'pageerror')
      this.#errors = counted(this.#errors, message.text.split('\n', 1)[0] ?? '');
  }
}

const none: Problems = { count: 0, first: [] };

function add<T>(list: T[], entry: T): void {
  list.push(entry);
  if (list.length > kept) list.splice(0, list.length - kept);
}

function counted({ count, first }: Problems, text: string): Problems {
  return { count: count + 1, first: first.length < shown ? [...first, text] : first };
}
