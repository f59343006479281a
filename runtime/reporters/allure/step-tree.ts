import type { StepView } from '#runtime/kernel/events.ts';
import { allureBody } from '#schemas/types/allure.ts';
import type { AllureAttachment, AllureBody, AllureDetails, AllureStatus } from '#schemas/types/allure.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { causes } from '../failure-text.ts';

/** Steps as they end, those of nested lists before the step that holds them, made a tree. */
export class StepTree {
  readonly #own: AllureBody[] = [];
  /** Steps by the id of their holder, which has not ended. */
  readonly #held = new Map<string, AllureBody[]>();

  add({ id, parent }: Pick<RunRecord, 'id' | 'parent'>, step: AllureBody): void {
    const whole = { ...step, steps: this.#held.get(id) ?? [] };
    this.#held.delete(id);
    if (parent === undefined) return void this.#own.push(whole);
    const held = this.#held.get(parent) ?? [];
    this.#held.set(parent, held);
    held.push(whole);
  }

  /** The steps of the list; behind them those whose holder never ended. */
  get steps(): readonly AllureBody[] {
    return [...this.#own, ...[...this.#held.values()].flat()];
  }
}

const STATUS = { passed: 'passed', failed: 'failed', skipped: 'skipped', 'dry-run': 'skipped' } as const;

/** A step without those inside it. */
export function stepOf(step: StepView, record: RunRecord, attachments: readonly AllureAttachment[]): AllureBody {
  const start = Date.parse(record.started_at);
  return allureBody({
    name: step.name ?? record.command,
    status: statusOf(record),
    start,
    stop: start + record.duration_ms,
    statusDetails: detailsOf(record),
    attachments,
    parameters: [
      { name: 'command', value: record.command },
      { name: 'place', value: `${record.file}:${record.line}:${record.column}` },
      ...(record.attempts > 1 ? [{ name: 'attempts', value: String(record.attempts) }] : []),
    ],
  });
}

function statusOf({ status, error }: RunRecord): AllureStatus {
  return status === 'failed' && error?.class === 'environment' ? 'broken' : STATUS[status];
}

function detailsOf({ error, reason, flaky }: RunRecord): AllureDetails {
  const trace = error ? causes(error).map((cause) => `because: ${cause}`) : [];
  const message = error?.message ?? reason;
  return {
    ...(message !== undefined && { message }),
    ...(trace.length > 0 && { trace: trace.join('\n') }),
    ...(flaky && { flaky: true }),
  };
}
