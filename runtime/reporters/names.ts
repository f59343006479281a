import type { Reporter, ReporterTarget } from '../kernel/events.ts';

import type { HumanOptions } from './human.ts';

export const reporterNames = ['github', 'html', 'human', 'json', 'junit', 'tap'] as const;
export type ReporterName = (typeof reporterNames)[number];

export type OpenReporter = (target: ReporterTarget, options: HumanOptions) => Reporter;

/** Every reporter by its name, loaded or linked. */
export type Reporters = Readonly<Record<ReporterName, () => OpenReporter | Promise<OpenReporter>>>;
