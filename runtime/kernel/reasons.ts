/** Why a step was skipped, as records tell it. */
export const because = {
  condition: (source: string): string => `its condition does not hold: ${source}`,
  failedBefore: (id: string): string => `"${id}" failed, and a failure ends this body`,
  failedSetup: (id: string): string => `the setup failed at "${id}"`,
  dependency: (id: string, status: 'failed' | 'skipped'): string =>
    status === 'failed' ? `"${id}" failed, on which it depends` : `"${id}" was skipped, on which it depends`,
  notMade: (what: string, id: string, status: 'failed' | 'skipped'): string =>
    `it needs ${named(what)}, which "${id}" did not make because it ${status === 'failed' ? 'failed' : 'was skipped'}`,
  stopped: (reason: string): string => `the run was stopped: ${reason}`,
  failFast: 'another step failed, and the run ends at the first failure',
  graphStopped: (id: string): string => `"${id}" failed, and no new node begins after a failure`,
  errors: 'it has errors, so nothing of it can run',
  file: (source: string, status: 'failed' | 'skipped'): string =>
    status === 'failed' ? `${source} failed, on which it depends` : `${source} was skipped, on which it depends`,
} as const;

function named(provision: string): string {
  const [kind = '', name = ''] = provision.split(/:(.*)/s);
  return `the ${kind} "${name}"`;
}
