import type { RunEvent } from '#runtime/kernel/events.ts';

import type { Channel } from './channel.ts';
import { plainEvent } from './plain-place.ts';
import type { FromWorker, ToWorker } from './protocol.ts';

/** The worker's end of a channel. */
export type WorkerLink = Channel<FromWorker, ToWorker>;

/**
 * Tells events to a run that may be slow. Events that it cannot take, or that are too large, are left out and
 * counted; the record of a step that has ended is told all the same, without what the step shows beside it.
 */
export function tellEvents(link: WorkerLink): (event: RunEvent) => void {
  let leftOut = 0;
  return (event) => {
    if (leftOut > 0 && link.tell({ kind: 'left-out', count: leftOut })) leftOut = 0;
    if (link.tell({ kind: 'event', event: plainEvent(event) })) return;
    leftOut++;
    // Longer than any message: the record stands in the record file.
    if (event.kind === 'step-finished')
      link.send({ kind: 'event', event: { ...event, evidence: [] } }).catch(() => undefined);
  };
}
