import type { Reporter, ReporterTarget } from '#runtime/kernel/events.ts';

import type { HumanOptions } from './human.ts';

export type OpenReporter = (target: ReporterTarget, options: HumanOptions) => Reporter;

/** The reporters by name; each is loaded when it is asked for. */
export const reporters: Readonly<Record<string, () => Promise<OpenReporter>>> = {
  human: async () => (await import('./human.ts')).human,
  json: async () => (await import('./json.ts')).json,
  junit: async () => (await import('./junit.ts')).junit,
  tap: async () => (await import('./tap.ts')).tap,
  github: async () => (await import('./github.ts')).github,
  html: async () => (await import('./html/html.ts')).html,
};
