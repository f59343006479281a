import type { Ports } from '#runtime/kernel/ports.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import type { Clock } from '#schemas/types/host.ts';

import { lastResult } from '../last-result.ts';

type Watcher = ReturnType<Ports['watch']['list']>[number];

/** A watcher as results show it. */
export function shownWatcher({ last, events, ...rest }: Watcher, clock: Clock): CommandMap['FA_watch_start']['result'] {
  return { ...rest, events: [...events], last_result: lastResult(last, clock) };
}
