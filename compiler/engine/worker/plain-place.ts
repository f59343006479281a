import type { Place } from '#schemas/types/plan.ts';
import type { RunEvent } from '#schemas/types/run-event.ts';

/** The place of a step as data, with its whole source where the reader is shown that. */
export function plainPlace(place: Place, isWhole: boolean): Place {
  const { file, line, column, text, expect, save_as, when, condition } = place;
  const source = isWhole ? place.source : undefined;
  return {
    ...{ file, line, column, text },
    ...(expect && { expect: expect.map((each) => ({ ...each })) }),
    ...(save_as && { save_as: save_as.map((each) => ({ ...each })) }),
    ...(when && { when: { ...when } }),
    ...(condition && { condition: { ...condition } }),
    ...(source !== undefined && { source }),
  };
}

/** An event that leaves the run: what a place works out for who asks is worked out now; its whole source at the end. */
export function plainEvent(event: RunEvent): RunEvent {
  if (!('step' in event) || event.step.place === undefined) return event;
  const { step } = event;
  return { ...event, step: { ...step, place: plainPlace(event.step.place, event.kind === 'step-finished') } };
}
