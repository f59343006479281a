import type { Page } from 'playwright-core';

import type { Door } from './door.ts';
import type { MockAnswer, Replay, Scope } from './port.ts';

type Answers = ReadonlyMap<string, MockAnswer | Replay>;

/** Answers that the current page gets in the place of those of its servers, by the pattern of their addresses. */
export class Mocks {
  readonly #door: Door;
  #answers: Answers = new Map();

  constructor(door: Door) {
    this.#door = door;
  }

  get answers(): Answers {
    return this.#answers;
  }

  /** Path of an archive that answers in place of the servers; what it does not hold fails. */
  get archive(): string | undefined {
    const closed = [...this.#answers.values()].find((each) => 'archive' in each && each.notFound === 'abort');
    return closed && 'archive' in closed ? closed.archive : undefined;
  }

  async add(scope: Scope, pattern: string, answer: MockAnswer | Replay): Promise<void> {
    await this.#door.run(scope, (page) => routeTo(page, pattern, answer));
    this.#answers = new Map([...this.#answers, [pattern, answer]]);
  }

  /** Takes those of a pattern back, or all. */
  async remove(scope: Scope, pattern?: string): Promise<void> {
    await this.#door.run(scope, (page) => (pattern === undefined ? page.unrouteAll() : page.unroute(pattern)));
    this.#answers = new Map([...this.#answers].filter(([each]) => pattern !== undefined && each !== pattern));
  }

  /** Forgets those of a page that is gone. */
  forget(): void {
    this.#answers = new Map();
  }

  /** Brings back on this page what was there before. */
  async restore(page: Page, answers: Answers): Promise<void> {
    const isSame =
      answers.size === this.#answers.size && [...answers].every(([key, value]) => this.#answers.get(key) === value);
    if (isSame || page.isClosed()) return;
    await page.unrouteAll();
    this.forget();
    for (const [pattern, answer] of answers) await routeTo(page, pattern, answer);
    this.#answers = answers;
  }
}

async function routeTo(page: Page, pattern: string, answer: MockAnswer | Replay): Promise<void> {
  if ('archive' in answer) return page.routeFromHAR(answer.archive, { url: pattern, notFound: answer.notFound });
  const { contentType, headers, ...rest } = answer;
  const whole = { ...rest, headers: { ...headers }, ...(contentType === undefined ? {} : { contentType }) };
  // A request whose page is left meanwhile needs no answer any more.
  await page.route(pattern, (route) => route.fulfill(whole).catch(() => undefined));
}
