import type { JsonObject } from '#schemas/types/json.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly uploads: Uploads;
  }
}

/** Notes about what uploads leave at services until they are done, kept in the project's state folder. */
export interface Uploads {
  /** Takes the note of an upload, until `end`. Undefined while somebody else has it. */
  take(key: UploadKey, signal: AbortSignal): Promise<HeldUpload | undefined>;
  /**
   * Hex digits that the names of this unit's parts in a folder begin with. They are noted, so that a later run finds
   * what a death has left there.
   */
  mark(place: string, folder: string): Promise<string>;
  /**
   * A part was not removed yet. Where its removal has not ended well when the unit ends, which stops it, the note about
   * the part outlives the unit.
   */
  leavesPart(removal: PartRemoval): void;
  /** Remains of uploads at a place that nobody works on any more; each place is looked up once a unit. */
  left(place: string): Promise<LeftAtPlace>;
}

export interface PartRemoval {
  /** Whether the part was removed; never rejects. */
  readonly gone: Promise<boolean>;
  stop(): void;
}

export interface UploadKey {
  /** `Backend.place`. */
  readonly place: string;
  readonly path: string;
  /** Text that another source, or another version of it, does not have. */
  readonly source: string;
}

export interface HeldUpload {
  /** Note of an earlier call. */
  readonly note: JsonObject | undefined;
  keep(note: JsonObject): Promise<void>;
  forget(): Promise<void>;
  /** Lets others have it. */
  end(): Promise<void>;
}

export interface LeftAtPlace {
  /** Uploads in parts that nobody went on with for a week. */
  readonly uploads: readonly (Left & { readonly path: string; readonly note: JsonObject })[];
  /** Folders in which runs have died, with the digits that the names of their parts begin with. */
  readonly parts: readonly (Left & { readonly folder: string; readonly mark: string })[];
}

export interface Left {
  forget(): Promise<void>;
}
