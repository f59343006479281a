import type { Files, Host, Processes } from '#schemas/types/host.ts';

/** Work on many or large files at once, beside the rest of the run. */
export type Bulk = Pick<Files, 'copyMany' | 'digest' | 'sameContent' | 'tellApart'>;
/** Folders whole. */
export type Trees = Pick<Files, 'moveInto' | 'removeTree' | 'survey' | 'sweepTemporary' | 'temporaryDirectory'>;

/**
 * Parts of a host that not every program needs: a compiled one holds those that its commands and providers can
 * ask for.
 */
export interface HostParts {
  readonly bulk?: Bulk;
  readonly trees?: Trees;
  readonly match?: () => Pick<Host, 'match' | 'matchMany'>;
  readonly processes?: (env: Host['env'], cwd: string | undefined) => Processes;
}

/** Working folder (absolute) and environment of a host. Each one left out is that of this process. */
export type HostPlace = Partial<Pick<Host, 'cwd' | 'env'>>;
