import type { Json } from '#schemas/types/json.ts';
import type { Context } from '#stdlib/command.ts';

import type { WebDriverSession } from '../../engines/webdriver/port.ts';

export type WaitContext = Context<'WR_explicit_wait'>;

/** A condition that can be asked about again and again. */
export interface Asking {
  /** How messages call it. */
  readonly text: string;
  readonly pauseMs: number;
  ask(session: WebDriverSession): Promise<Answer>;
}

/** What was found when it was asked about. */
export interface Answer {
  readonly holds: boolean;
  /** The result of the wait. */
  readonly value?: unknown;
  /** What is there instead, for the message. */
  readonly actual?: Json;
}
