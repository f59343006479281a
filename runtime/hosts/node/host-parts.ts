import type { Files, Host, Processes } from '#schemas/types/host.ts';

/** Work on many or large files at once, beside the rest of the run. */
export type Bulk = Pick<Files, 'copyMany' | 'digest' | 'sameContent' | 'tellApart'>;
/** Folders whole. */
export type Trees = Pick<Files, 'moveInto' | 'removeTree' | 'survey' | 'sweepTemporary' | 'temporaryDirectory'>;

/** What not every program asks of its host: a compiled one holds those that its commands and providers can ask for. */
export interface HostParts {
  readonly bulk?: Bulk;
  readonly trees?: Trees;
  readonly match?: () => Pick<Host, 'match' | 'matchMany'>;
  readonly processes?: (env: Host['env'], cwd: string | undefined) => Processes;
}

/** Where a host is opened: its working folder (absolute) and environment. What is left out is that of this process. */
export type HostPlace = Partial<Pick<Host, 'cwd' | 'env'>>;
