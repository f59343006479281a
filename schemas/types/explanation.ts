/** One section of `schemas/messages`, as `svc explain` shows it. */
export interface Explanation {
  readonly code: string;
  readonly slug: string;
  readonly kind: 'diagnostic' | 'failure';
  readonly severity?: 'error' | 'warning' | 'info' | 'hint';
  readonly class?: 'transient' | 'environment' | 'flaky' | 'real';
  /** Failures: what `retry.on` can select, comma-separated. */
  readonly kinds?: string;
  /** Failures: the specification's exception. */
  readonly exception?: string;
  readonly label?: string;
  readonly help?: string;
  readonly tags?: string;
  /** The message with `%arguments%`. */
  readonly message: string;
  /** Reason why this counts as a mistake, and what to do: Markdown. */
  readonly text: string;
  readonly bad: readonly ExampleBlock[];
  readonly good: readonly ExampleBlock[];
}

/** `name` is the file it stands for where an example has several. */
export interface ExampleBlock {
  readonly language: string;
  readonly name?: string;
  readonly text: string;
}
