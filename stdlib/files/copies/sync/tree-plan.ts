import type { FileStat } from '#schemas/types/host.ts';

/** A place in both trees, by its way from their roots with `/` between the names; '' is the root. */
export interface At {
  readonly name: string;
  readonly stat: FileStat;
}

/** A folder that both trees have afterwards. */
export interface FolderPlan extends At {
  /** Entry that is there in the target now. */
  readonly there: FileStat | undefined;
  /** Permission bits or times differ. */
  readonly differs: boolean;
}

export interface LinkPlan {
  readonly name: string;
  readonly text: string;
}

/** A file whose content stays, and whose permission bits or times do not. */
export interface UpdatePlan extends At {
  readonly there: FileStat;
}

export interface Removal {
  readonly name: string;
  /** Present for a folder: its own permission bits. */
  readonly folderMode?: number;
}

/** Everything that a synchronization is going to do, found out before the first change. */
export interface TreePlan {
  /** A folder before what is in it. */
  readonly folders: FolderPlan[];
  readonly copies: At[];
  readonly links: LinkPlan[];
  readonly updates: UpdatePlan[];
  /** Content before its folder. */
  readonly removals: Removal[];
  /** Folders of the target that were to go and could not be read. */
  readonly stuck: string[];
  /** Folders of the target with temporary files, perhaps of runs that were killed. */
  readonly unswept: Set<string>;
  readonly skipped: string[];
  /**
   * Names that file systems without letter case would take for others in their folder, and that the target does not
   * show.
   */
  readonly doubtful: Set<string>;
  readonly errors: [name: string, message: string][];
  /** Entries of the target that are no folders, as far as they were looked at. */
  held: number;
  /** Every folder of the source could be read. */
  isWhole: boolean;
}

export function emptyPlan(): TreePlan {
  return {
    folders: [],
    copies: [],
    links: [],
    updates: [],
    removals: [],
    stuck: [],
    unswept: new Set(),
    skipped: [],
    doubtful: new Set(),
    errors: [],
    held: 0,
    isWhole: true,
  };
}

/** Everything but a folder counts as a file here: it is something to lose. */
export function isFile({ folderMode }: Removal): boolean {
  return folderMode === undefined;
}

/** The name of an entry of a folder. */
export function below(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** The folder that an entry stands in. */
export function parentOf(name: string): string {
  return name.slice(0, Math.max(name.lastIndexOf('/'), 0));
}
