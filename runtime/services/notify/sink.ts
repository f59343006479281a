import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Clock } from '#schemas/types/host.ts';

import type { Level, SinkDescription } from './port.ts';

/**
 * Delivers one message, or rejects with a failure that holds no secret. Anything with a name and this function may be
 * registered.
 */
export interface NotificationSink {
  readonly name: string;
  send(subject: string, body: string, level?: Level, options?: SendOptions): Promise<void>;
}

export interface SendOptions {
  readonly signal?: AbortSignal;
}

/** A sink of one of the known types. */
export interface KnownSink extends NotificationSink {
  readonly description: SinkDescription;
  /** Whether its address may be asked, without asking it. */
  check(signal: AbortSignal): Promise<void>;
}

/** Tools that sinks send with; opened when the first message goes out. */
export interface SinkTools {
  readonly clock: Clock;
  readonly http: () => Promise<Pick<Ports['http'], 'send'>>;
  readonly outbound: () => Promise<Ports['outbound']>;
  readonly mail: () => Promise<Ports['mail']>;
}

const levels: readonly string[] = ['info', 'warning', 'error'];

/** Fails with what no sink takes. */
export function checkMessage(subject: string, level: string): void {
  if (subject.trim() === '') throw fail.messageUnfit({ what: 'subject', given: subject });
  if (!levels.includes(level)) throw fail.messageUnfit({ what: 'level', given: level });
}
