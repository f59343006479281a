import type { Reporter, ReporterTarget } from '../kernel/events.ts';

import type { HumanOptions } from './human.ts';

export const reporterNames = [
  'allure',
  'azure',
  'ctrf',
  'github',
  'gitlab',
  'html',
  'human',
  'json',
  'junit',
  'markdown',
  'tap',
] as const;
export type ReporterName = (typeof reporterNames)[number];

/** Reporters that write a folder of files. */
export const folderReporters: readonly ReporterName[] = ['allure'];

export type OpenReporter = (target: ReporterTarget, options: HumanOptions) => Reporter;

/** Reporters by their names, loaded or linked: a compiled program holds those that it was compiled with. */
export type Reporters = Readonly<Partial<Record<ReporterName, () => OpenReporter | Promise<OpenReporter>>>>;
