import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import type { StepView } from '#runtime/kernel/step-observer.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isObject } from '#schemas/types/json.ts';
import type { ConditionPlace, Place } from '#schemas/types/plan.ts';

import type { KeptStep } from './kept-step.ts';
import type { RecordedStep, StepRecord } from './port.ts';
import { reportOf } from './reports.ts';

export const provider: Provider<'stepRecord'> = { open: (context) => new Steps(context) };

class Steps implements StepRecord {
  readonly #observe: PortContext['observe'];
  readonly #masked: PortContext['masked'];
  readonly #kept: KeptStep[] = [];
  readonly #followers = new Set<(step: RecordedStep) => void>();
  #stop: (() => void) | undefined;

  constructor({ observe, masked }: PortContext) {
    this.#observe = observe;
    this.#masked = masked;
  }

  switch(on: boolean): void {
    if (on) this.#stop ??= this.#recordTo(this.#kept);
    else {
      this.#stop?.();
      this.#stop = undefined;
    }
  }

  follow(hear: (step: RecordedStep) => void): () => void {
    this.#followers.add(hear);
    return () => this.#followers.delete(hear);
  }

  all(): readonly RecordedStep[] {
    return this.#shownAll(this.#kept);
  }

  needed(): readonly RecordedStep[] {
    if (this.#kept.length === 0) throw fail.stepRecordEmpty({});
    return this.all();
  }

  async during(work: () => Promise<unknown>): Promise<readonly RecordedStep[]> {
    const kept: KeptStep[] = [];
    const stop = this.#recordTo(kept);
    try {
      await work();
    } finally {
      stop();
    }
    return this.#shownAll(kept);
  }

  async report(name: 'html' | 'junit'): Promise<string> {
    if (this.#kept.length === 0) throw fail.stepRecordEmpty({});
    return await reportOf(name, this.#kept.map(this.#hidden));
  }

  #shownAll(kept: readonly KeptStep[]): readonly RecordedStep[] {
    return kept.map((each, index) => shown(each, index, this.#masked));
  }

  /** Names and lines of the file are as they were written: secrets in them are those that are known by now. */
  readonly #hidden = ({ step, ...rest }: KeptStep): KeptStep => {
    const { name, place } = step;
    return {
      ...rest,
      step: {
        ...step,
        ...(name !== undefined && { name: this.#masked(name) }),
        ...(place && { place: this.#hiddenPlace(place) }),
      },
    };
  };

  #hiddenPlace({ file, line, column, text, expect, save_as, when, condition, source }: Place): Place {
    const places = (all: readonly ConditionPlace[]): readonly ConditionPlace[] =>
      all.map((each) => ({ ...each, text: this.#masked(each.text) }));
    return {
      file,
      line,
      column,
      text: this.#masked(text),
      ...(expect && { expect: places(expect) }),
      ...(save_as && { save_as: places(save_as) }),
      ...(when && { when: { ...when, text: this.#masked(when.text) } }),
      ...(condition && { condition: { ...condition, text: this.#masked(condition.text) } }),
      ...(source !== undefined && { source: this.#masked(source) }),
    };
  }

  /** A step that was under way before is none of this record. */
  #recordTo(kept: KeptStep[]): () => void {
    const begun = new WeakSet<StepView>();
    return this.#observe({
      started: (step) => void begun.add(step),
      ended: (step, record, args) => {
        const ran = record.status === 'passed' || record.status === 'failed';
        if (!ran || !begun.has(step) || record.superseded) return;
        const each = { step, record, args: args() };
        kept.push(each);
        if (kept !== this.#kept) return;
        for (const hear of this.#followers) hear(shown(each, kept.length - 1, this.#masked));
      },
    });
  }
}

function shown({ step, record, args }: KeptStep, index: number, masked: PortContext['masked']): RecordedStep {
  const { command, error, id, file, line, started_at, duration_ms } = record;
  return {
    function_name: command,
    ...(step.name !== undefined && { name: masked(step.name) }),
    local_param: isObject(args) ? args : null,
    time: localTime(new Date(started_at)),
    program_exception: record.status === 'passed' ? 'None' : error ? `${error.name}: ${error.message}` : 'failed',
    index,
    id,
    file,
    line,
    started_at,
    duration_ms,
  };
}

function localTime(time: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const micros = `${String(time.getMilliseconds()).padStart(3, '0')}000`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${micros}`;
}
