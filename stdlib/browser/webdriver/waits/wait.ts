import type { CommandMap } from '#schemas/generated/command-map.ts';
import { waitRanOut, waitWithoutCondition } from '#schemas/generated/failures.ts';

import type { WebDriverSession } from '../../engines/webdriver/port.ts';
import type { Answer, Asking, WaitContext } from './asking.ts';
import { namedConditions } from './conditions.ts';
import { functionCondition } from './function-condition.ts';

export interface Wait {
  readonly seconds: number;
  /** True: until it holds; false: until it no longer holds. */
  readonly until: boolean;
  readonly condition: CommandMap['WR_explicit_wait']['params']['condition'];
  readonly method: string | undefined;
}

/** Asks, once more after each pause, until the answer is the wanted one or the time is over. */
export async function wait(ctx: WaitContext, { seconds, until, condition, method }: Wait): Promise<unknown> {
  const asking = condition
    ? namedConditions(condition, ctx)
    : method === undefined
      ? undefined
      : functionCondition(await ctx.modules.reference(method), method, ctx);
  if (!asking) throw waitWithoutCondition();
  return withoutImplicitWait(ctx.webdriver.current, ctx, (session) => poll(session, asking, ctx, { seconds, until }));
}

async function poll(
  session: WebDriverSession,
  asking: Asking,
  ctx: WaitContext,
  { seconds, until }: Pick<Wait, 'seconds' | 'until'>,
): Promise<unknown> {
  const end = ctx.clock.monotonic() + seconds * 1000;
  for (;;) {
    const answer = await asking.ask(session);
    if (answer.holds === until) return answer.value ?? null;
    const left = end - ctx.clock.monotonic();
    if (left <= 0) throw ranOut(seconds, until, `${(until && answer.missed) || asking.text}${session.framed}`, answer);
    await ctx.clock.sleep(Math.min(left, asking.pauseMs), ctx.signal);
  }
}

/** An implicit wait would hold up each question for its whole length. */
async function withoutImplicitWait<T>(
  session: WebDriverSession,
  ctx: WaitContext,
  work: (session: WebDriverSession) => Promise<T>,
): Promise<T> {
  const { implicit } = session.timeouts;
  if (implicit === 0) return work(session);
  await session.setTimeouts(ctx, { implicit: 0 });
  try {
    return await work(session);
  } finally {
    // Also after the step was cancelled: the setting belongs to the session.
    await session.setTimeouts({ signal: new AbortController().signal }, { implicit });
  }
}

function ranOut(seconds: number, until: boolean, text: string, { actual }: Answer): Error {
  const condition = until ? `${text} did not hold` : `${text} still held`;
  return waitRanOut({ seconds, condition, expected: until ? text : `not ${text}`, actual });
}
