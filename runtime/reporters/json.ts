import type { Reporter, ReporterTarget, RunEvent } from '#runtime/kernel/events.ts';

import { jsonText } from './outgoing.ts';
import { withStoredSnapshots } from './stored-snapshots.ts';

/** The outcome of the run as one JSON object, as `svc run --json` prints it. */
export function json(target: ReporterTarget): Reporter {
  const event = (event: RunEvent): void => {
    if (event.kind === 'run-finished') target.write(`${jsonText(event.outcome, 2)}\n`, 'json');
  };
  return { showsEvidence: false, event: import.meta.withoutSnapshots ? event : withStoredSnapshots(event) };
}
