import type { Json } from '#schemas/types/json.ts';
import type { Context } from '#stdlib/command.ts';

import type { WebDriverSession } from '../../engines/webdriver/port.ts';

export type WaitContext = Context<'WR_explicit_wait'>;

/** A condition that can be asked about again and again. */
export interface Asking {
  /** Name in messages. */
  readonly text: string;
  readonly pauseMs: number;
  ask(session: WebDriverSession): Promise<Answer>;
}

/** Answer to one question of a wait. */
export interface Answer {
  readonly holds: boolean;
  /** The result of the wait. */
  readonly value?: unknown;
  /** Value that is there instead, for the message. */
  readonly actual?: Json;
  /** The one of several conditions that did not hold, as messages name it. */
  readonly missed?: string;
}
