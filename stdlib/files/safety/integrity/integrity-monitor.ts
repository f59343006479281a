import type { Clock } from '#schemas/types/host.ts';
import type { CheckSummary, MonitorSettings } from '#schemas/types/tree-check.ts';

import { driftAlert, type Alert } from './drift-alert.ts';
import { checkTree, driftOf } from './check-tree.ts';
import { asFailureText } from './failure-text.ts';
import type { ManifestTools } from '../manifest/record-tree.ts';

/** Time (ms) that `stop` waits for a check that is under way. */
const PATIENCE_MS = 5_000;
/** Time (ms) that the function may take before people are told. */
const CALL_MS = 60_000;

export interface MonitorTools extends Omit<ManifestTools, 'signal'> {
  readonly clock: Clock;
  /** Tells people; must not reject. False: nobody took it, so it is told again. */
  alert(alert: Alert): Promise<boolean>;
  /** Hears that the function that is called on drift has failed. */
  callbackFailed(reason: string): void;
}

export type OnDrift = (summary: CheckSummary) => unknown;

/**
 * Compares a tree with its manifest again and again, one check at a time. Tells when differences appear or become
 * others, first the function, then people: drift that lasts is told once, to people once somebody has taken it.
 */
export class IntegrityMonitor {
  readonly settings: MonitorSettings;
  readonly #tools: MonitorTools;
  readonly #onDrift: OnDrift | undefined;
  #summary: CheckSummary | null = null;
  /** The drift of which the function has heard, and that of which people have. */
  #called = '';
  #alerted = '';
  #stopping: AbortController | undefined;
  #done: Promise<void> = Promise.resolve();

  constructor(tools: MonitorTools, settings: MonitorSettings, onDrift?: OnDrift) {
    this.#tools = tools;
    this.settings = settings;
    this.#onDrift = onDrift;
  }

  get last_summary(): CheckSummary | null {
    return this.#summary;
  }

  get running(): boolean {
    return this.#stopping !== undefined;
  }

  /** Resolves when it has stopped. */
  get done(): Promise<void> {
    return this.#done;
  }

  /** Starting twice is harmless. */
  start(): void {
    if (this.#stopping) return;
    const stopping = new AbortController();
    this.#stopping = stopping;
    this.#done = this.#run(stopping.signal);
  }

  /** Breaks a check off that is under way; waits for its end, but not for ever. */
  async stop(): Promise<void> {
    this.#stopping?.abort(new Error('the monitor was stopped'));
    this.#stopping = undefined;
    let cancel: (() => void) | undefined;
    await Promise.race([
      this.#done,
      new Promise<void>((resolve) => (cancel = this.#tools.clock.timer(PATIENCE_MS, resolve))),
    ]);
    cancel?.();
  }

  /** Compares once, whether it runs or not, and tells of any drift that it finds. */
  async check_once(signal: AbortSignal = new AbortController().signal): Promise<CheckSummary> {
    return this.#check(signal, true);
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#tools.clock.sleep(this.settings.interval * 1000, signal);
        await this.#check(signal, false);
      } catch {
        // Only a stop rejects.
      }
    }
  }

  /** `again`: also of drift that was told. */
  async #check(signal: AbortSignal, again: boolean): Promise<CheckSummary> {
    const { root, alert_on_extra } = this.settings;
    const summary = await checkTree({ ...this.#tools, signal }, this.settings);
    this.#summary = summary;
    const drift = driftOf(summary, alert_on_extra);
    if (drift !== '' && (again || drift !== this.#called)) await this.#call(summary, signal);
    this.#called = drift;
    const isNews = drift !== '' && (again || drift !== this.#alerted);
    const isTaken = !isNews || (await this.#tools.alert(driftAlert(root, summary, alert_on_extra)));
    this.#alerted = isTaken ? drift : '';
    return summary;
  }

  async #call(summary: CheckSummary, signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const tooLong = async (): Promise<never> => {
      await this.#tools.clock.sleep(CALL_MS, AbortSignal.any([signal, ended.signal]));
      throw new Error(`it has not ended within ${CALL_MS / 1000} s`);
    };
    try {
      await Promise.race([Promise.resolve(structuredClone(summary)).then(this.#onDrift), tooLong()]);
    } catch (error) {
      signal.throwIfAborted();
      this.#tools.callbackFailed(asFailureText(error));
    } finally {
      ended.abort();
    }
  }
}
