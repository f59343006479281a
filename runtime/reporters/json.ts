import { jsonText } from './outgoing.ts';
import type { Reporter, ReporterTarget } from '#runtime/kernel/events.ts';

/** The outcome of the run as one JSON object, as `svc run --json` prints it. */
export function json(target: ReporterTarget): Reporter {
  return {
    showsEvidence: false,
    event(event) {
      if (event.kind === 'run-finished') target.write(`${jsonText(event.outcome, 2)}\n`, 'json');
    },
  };
}
