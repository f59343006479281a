import type { StepObserver } from '#runtime/kernel/step-observer.ts';
import { MetricsRegistry } from '#runtime/services/metrics/registry.ts';

import { isAction } from '#compiler/engine/is-action.ts';
import { observeSessions } from '#compiler/engine/observed.ts';

/** Metrics of this process: code that takes samples and code that shows them share nothing else. */
const registry = new MetricsRegistry();
const observer: StepObserver = {
  ended: (_step, { command, status, duration_ms: duration }) => {
    if (isAction(command) && (status === 'passed' || status === 'failed'))
      registry.record(command, duration / 1000, status === 'passed');
  },
};
observeSessions(() => observer);

/** Takes one sample of one's own. Never throws; a negative duration counts as 0. */
export function record_action(action: string, duration_seconds: number, ok: boolean): null {
  registry.record(action, duration_seconds, ok);
  return null;
}

/**
 * Renders the metrics recorded in this process, by this function and for each action that ran (`execute_action`
 * and the like): text in the exposition format, and its content type.
 */
export function render_metrics(): [text: string, content_type: string] {
  const { text, contentType } = registry.render();
  return [text, contentType];
}
