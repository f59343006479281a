// Reasons why a step was skipped, as records tell them. Each is an export of its own, so that programs hold those that they can come to.

type Lacking = 'failed' | 'skipped';

export const condition = (source: string): string => `its condition does not hold: ${source}`;

export const failedBefore = (id: string): string => `"${id}" failed, and a failure ends this body`;

export const failedSetup = (id: string): string => `the setup failed at "${id}"`;

export const dependency = (id: string, status: Lacking): string =>
  status === 'failed' ? `"${id}" failed, on which it depends` : `"${id}" was skipped, on which it depends`;

export const notMade = (what: string, id: string, status: Lacking): string =>
  `it needs ${named(what)}, which "${id}" did not make because it ${status === 'failed' ? 'failed' : 'was skipped'}`;

/** Whether a reason is that what the step needs is not there. */
export const isOfNeed = (reason: string): boolean =>
  reason.startsWith('it needs ') || reason.endsWith(', on which it depends');

export const stopped = (reason: string): string => `the run was stopped: ${reason}`;

export const resumed = (id: string): string => `the run was resumed at "${id}"`;

export const failFast = 'another step failed, and the run ends at the first failure';

export const graphStopped = (id: string): string => `"${id}" failed, and no new node begins after a failure`;

export const errors = 'it has errors, so nothing of it can run';

export const otherErrors = 'another file has errors, so nothing runs';

export const file = (source: string, status: Lacking): string =>
  status === 'failed' ? `${source} failed, on which it depends` : `${source} was skipped, on which it depends`;

function named(provision: string): string {
  const [kind = '', name = ''] = provision.split(/:(.*)/s);
  return `the ${kind} "${name}"`;
}
