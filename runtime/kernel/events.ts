import type { TextForm } from '#schemas/types/text-form.ts';
import type { RunEvent } from '#schemas/types/run-event.ts';

export type { Counts, RunEvent, RunOutcome, StepView, UnitInfo, UnitOutcome } from '#schemas/types/run-event.ts';

/** Turns events into text. `end` is called once, after `run-finished`, and writes what is still held. */
export interface Reporter {
  /** False: it shows no evidence; where no reporter does, none is made. */
  readonly showsEvidence?: boolean;
  event(event: RunEvent): void;
  end?(): Promise<void> | void;
}

/** Output of a reporter: a stream of the process, or a file that appears whole at the end. */
export interface ReporterTarget {
  /** Text for people, unless `form` says otherwise. */
  write(text: string, form?: TextForm): void;
  readonly colour: boolean;
  /** A terminal whose last lines may be redrawn. */
  readonly live: boolean;
  readonly columns: number;
  /** Keeps a file of a report that is a folder, under a name without folders; absent where it is one text. */
  file?(name: string, content: string | Uint8Array): void;
  /**
   * Appends Markdown to the page of the build that this process is a part of; absent where there is none. Fails where
   * it cannot be written.
   */
  readonly appendToPage?: (text: string) => Promise<void>;
}
