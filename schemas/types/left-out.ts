/**
 * Names of the features that a compiled program may be linked without; code asks `import.meta.withoutRetries`.
 * The linker puts `true` or `false` in its place, so that a condition on it and all that only its branch uses
 * go; everywhere else it is undefined, and nothing is left out. For what is too small, or stands too deep, to
 * be a part of its own that is handed in.
 */
export const leftOutNames = [
  /** Answers of servers in results, as failures show them. */
  'withoutAnswers',
  /** Fake values, which a seed decides. */
  'withoutChance',
  /** Control forms. */
  'withoutControls',
  /** Digests of bytes. */
  'withoutDigests',
  /** Encodings other than UTF-8. */
  'withoutEncodings',
  /** The environment: `.env` files, `${ENV.…}`, secret files. */
  'withoutEnvironment',
  /** Evidence that commands show beside their results. */
  'withoutEvidence',
  /** Beginnings of texts from outside, in messages. */
  'withoutExcerpts',
  /** Reports that are folders. */
  'withoutFolders',
  /** Modules and packages of others, which could end the process. */
  'withoutForeignCode',
  /** Secrets in texts as others write them: escaped, as base64, in digits, as parts of an address. */
  'withoutForms',
  /** Nodes of a graph. */
  'withoutGraphs',
  /** Those who take part in the steps of a unit. */
  'withoutHooks',
  /** Jobs that go on when their step has ended. */
  'withoutJobs',
  /** Lines of commands for whoever reads the log. */
  'withoutLines',
  /** Lists that commands run. */
  'withoutLists',
  /** Locks of units. */
  'withoutLocks',
  /** Combinations of a matrix. */
  'withoutMatrix',
  /** A second unit, and a unit that runs again. */
  'withoutMoreUnits',
  /** Observers of each step of a unit. */
  'withoutObservers',
  /** Previews in dry runs, of commands that change many things. */
  'withoutPreviews',
  /** Reading files and folders. */
  'withoutReading',
  /** Trying a step again. */
  'withoutRetries',
  /** Rows of a dataset. */
  'withoutRows',
  /** Steps chosen by those who run the file. */
  'withoutSelection',
  /** Snapshots that steps store: a run tells which. */
  'withoutSnapshots',
  'withoutStated',
  /** The summary on the page of a build of GitHub Actions. */
  'withoutStepSummary',
  /** Lines for a debugger to stop at. */
  'withoutStops',
  /** Places in storage behind paths that all stay on this machine. */
  'withoutStorage',
  /** Transfers that are watched and cancelled by a name. */
  'withoutTransfers',
  /** Variables, values from outside, lists in steps, and steps that depend on others. */
  'withoutVariables',
  /** Every step and its answer on the report for people. */
  'withoutVerbose',
  /** Results that say by themselves that something does not hold. */
  'withoutVerdicts',
  /** Observers of each change of a file. */
  'withoutWriteObservers',
] as const;

export type LeftOut = (typeof leftOutNames)[number];

declare global {
  interface ImportMeta extends Readonly<Partial<Record<LeftOut, boolean>>> {}
}
