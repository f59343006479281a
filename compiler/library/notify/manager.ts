import { nodeHost } from '#runtime/hosts/node.ts';
import { NotificationManager as Manager, notify_on_failure as tell } from '#runtime/services/notify/manager.ts';
import type { Level } from '#runtime/services/notify/port.ts';
import * as fail from '#schemas/generated/failures.ts';

export type { Level };
export * from './sinks.ts';

/** Options that say which messages count as the same one sent twice. */
export interface ManagerOptions {
  /**
   * Equal messages within so many seconds after one that was delivered are sent once; 0: each is sent. 60 by default.
   */
  readonly dedup_seconds?: number;
}

/** A message beside its subject. */
export interface MessageOptions {
  /** Empty by default; cut at 65536 bytes of UTF-8. */
  readonly body?: string;
  /** `info` by default. */
  readonly level?: Level;
}

/** Sends messages to all its sinks at once. A sink is anything with a name and `send(subject, body, level)`. */
export class NotificationManager extends Manager {
  constructor({ dedup_seconds = 60 }: ManagerOptions = {}) {
    if (!(dedup_seconds >= 0))
      throw fail.argumentsUnfit({ command: 'NotificationManager', reason: '"dedup_seconds" must be 0 or more' });
    super(nodeHost(), { dedup_seconds });
  }

  /**
   * Sends a message and yields its outcome by sink: `sent`, `dedup`, or what went wrong; empty without sinks.
   * Body and level stand in an object, or one after the other. Rejects with NotificationException for an empty
   * subject and an unknown level.
   */
  override notify(
    subject: string,
    given: string | MessageOptions = {},
    ...rest: [level?: Level, signal?: AbortSignal]
  ): Promise<Readonly<Record<string, string>>> {
    const [level, signal] = rest;
    if (typeof given === 'string') return super.notify(subject, given, level, signal);
    return super.notify(subject, given.body, given.level ?? level, signal);
  }
}

let shared: NotificationManager | undefined;

/** The manager of this process: sinks that are registered with it get what `notify_on_failure` sends. */
export function default_manager(): NotificationManager {
  return (shared ??= new NotificationManager());
}

/**
 * Sends an error message to the sinks of `manager`, else to those of the process. Never rejects; silent without sinks.
 */
export async function notify_on_failure(
  context: string,
  error: string,
  { manager }: { readonly manager?: NotificationManager | null } = {},
): Promise<null> {
  await tell(manager ?? default_manager(), context, error);
  return null;
}
