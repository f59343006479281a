import type { Block, BlockOptions, BlockOutcome } from '#runtime/kernel/ports.ts';
import type { Clock } from '#schemas/types/host.ts';
import type { RecordedError } from '#schemas/types/record.ts';

/** The failure of a step that was at work when its run was stopped. */
const RUN_STOPPED = 'SVC80026';
/** Time (ms) that runs may go on when their unit ends, before they are cancelled. */
const GRACE_MS = 5000;
/** So many failed runs stand in one message; the others are counted. */
const TOLD = 20;

export interface LastRun {
  /** Time (ms since 1970) at which it ended. */
  readonly at: number;
  /** Absent where the list could not run at all. */
  readonly outcome?: BlockOutcome;
  /** Failures of the run, one line a step. */
  readonly error?: string;
}

export interface ListRunsOptions {
  readonly list: Pick<Block, 'length' | 'run'>;
  readonly clock: Clock;
  /**
   * Hears of a run of which a step failed, or that could not begin; not of one that was stopped. One call at a time:
   * runs that fail until it has resolved are told together.
   */
  readonly onFailed: (text: string) => void | Promise<void>;
}

/**
 * Runner of an action list in the background, again and again: counts, remembers how the last run ended, and
 * ends the rest.
 */
export class ListRuns {
  readonly #options: ListRunsOptions;
  readonly #active = new Set<Promise<void>>();
  #telling: Promise<void> | undefined;
  #untold: string[] = [];
  #uncounted = 0;
  readonly #cancel = new AbortController();
  #last: LastRun | undefined;

  constructor(options: ListRunsOptions) {
    this.#options = options;
  }

  get actions(): number {
    return this.#options.list.length;
  }

  get active(): number {
    return this.#active.size;
  }

  get last(): LastRun | undefined {
    return this.#last;
  }

  /** Resolves when the run has ended, whatever came of it. */
  start(options: Pick<BlockOptions, 'event' | 'onWrite'> = {}): Promise<void> {
    const run = this.#run(options).finally(() => this.#active.delete(run));
    this.#active.add(run);
    return run;
  }

  /** Resolves when no run is active, and failures have been told. */
  async idle(): Promise<void> {
    while (this.#active.size > 0 || this.#telling) await Promise.all([...this.#active, this.#telling]);
  }

  /** Lets active runs end, and cancels those that take longer than 5 seconds. */
  async end(): Promise<void> {
    const endTimer = this.#options.clock.timer(GRACE_MS, () => this.#cancel.abort(new Error('the unit has ended')));
    await this.idle();
    endTimer();
  }

  async #run(options: BlockOptions): Promise<void> {
    const { list, clock } = this.#options;
    let outcome: BlockOutcome | undefined;
    let error: string | undefined;
    try {
      outcome = await list.run({ ...options, signal: this.#cancel.signal });
      if (outcome.failed > 0) error = failuresOf(outcome);
    } catch (reason) {
      error = reason instanceof Error ? reason.message : String(reason);
    }
    this.#last = { at: clock.now(), ...(outcome && { outcome }), ...(error !== undefined && { error }) };
    // The one who stops a run knows of it.
    const wasStopped = this.#cancel.signal.aborted || outcome?.steps.some((step) => isOfStop(step.error));
    if (error !== undefined && !wasStopped) this.#tell(error);
  }

  #tell(text: string): void {
    if (this.#untold.length < TOLD) this.#untold.push(text);
    else this.#uncounted += 1;
    this.#telling ??= this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    while (this.#untold.length > 0) {
      const more = this.#uncounted === 0 ? [] : [`(+${this.#uncounted} more runs that failed)`];
      const text = [...this.#untold, ...more].join('\n');
      this.#untold = [];
      this.#uncounted = 0;
      await Promise.resolve(text)
        .then(this.#options.onFailed)
        .catch(() => undefined);
    }
    this.#telling = undefined;
  }
}

function isOfStop(error: RecordedError | undefined): boolean {
  return error !== undefined && (error.code === RUN_STOPPED || isOfStop(error.cause));
}

function failuresOf({ steps }: BlockOutcome): string {
  return steps.flatMap(({ id, command, error }) => (error ? [`${id} ${command}: ${error.message}`] : [])).join('\n');
}
