declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly fileEvents: FileEvents;
  }
}

/** Events of the system about changes below folders. It keeps a handle for each folder, none for files. */
export interface FileEvents {
  /**
   * Resolves when everything below the folder is watched. Links are not followed. Rejects with the error of the system.
   */
  watch(folder: string, options: FolderWatchOptions): Promise<FolderWatch>;
}

export interface FolderWatchOptions {
  /** Folders below it, too. */
  readonly recursive: boolean;
  /**
   * Something at this path may have been made, written, renamed or removed: rather once too often, and often not the
   * last word. A name that is not UTF-8 is told by the path of its folder.
   */
  readonly onTouched: (path: string) => void;
  /** Later errors; the watch goes on as far as it can. */
  readonly onError: (error: Error) => void;
}

export interface FolderWatch {
  /** Watches a folder below anew that was replaced by another of its name. */
  renew(folder: string): void;
  close(): Promise<void>;
}
