import type { RunEvent } from '#runtime/kernel/events.ts';

import type { Channel } from './channel.ts';
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
    if (link.tell({ kind: 'event', event: withSource(event) })) return;
    leftOut++;
    // Longer than any message: the record stands in the record file.
    if (event.kind === 'step-finished')
      link.send({ kind: 'event', event: { ...event, evidence: [] } }).catch(() => undefined);
  };
}

/** A whole step is worked out for who asks; one that was sent here is to be shown there. */
function withSource(event: RunEvent): RunEvent {
  if (event.kind !== 'step-finished') return event;
  const { step } = event;
  const { place } = step;
  const source = place?.source;
  return place === undefined || source === undefined
    ? event
    : { ...event, step: { ...step, place: { ...place, source } } };
}
