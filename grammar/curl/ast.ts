/** One word of a shell command line, quotes taken away. */
export interface Word {
  /** Variables of the shell stand in it as `${env:NAME}`; other text that looks like a reference is escaped. */
  readonly text: string;
  /** The same, as the shell would hand it on where no variable stands in it. */
  readonly plain: string;
  /** UTF-16 offset of its first sign. */
  readonly from: number;
}

export interface CommandLine {
  readonly words: readonly Word[];
  /** Sentences about each thing that cannot be said in an action. */
  readonly lost: readonly string[];
}

/** A command line that cannot be read: what is wrong, and where. */
export class CommandLineError {
  readonly reason: string;
  readonly at: number;

  constructor(reason: string, at: number) {
    this.reason = reason;
    this.at = at;
  }
}
