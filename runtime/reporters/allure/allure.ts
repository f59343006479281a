import type { Reporter, ReporterTarget, RunEvent, UnitInfo } from '#runtime/kernel/events.ts';
import { allureFileName, allureResult, dashed } from '#schemas/types/allure.ts';
import type {
  AllureAttachment,
  AllureBody,
  AllureContainer,
  AllureResult,
  AllureStatus,
} from '#schemas/types/allure.ts';

import { jsonText } from '../outgoing.ts';
import { attachmentsOf } from './attachments.ts';
import { StepTree, stepOf } from './step-tree.ts';

type Finished<Kind extends RunEvent['kind']> = Extract<RunEvent, { kind: Kind }>;

/** The steps of a file so far: before its cases, in them by their row (0 without rows), and after them. */
interface Unit {
  readonly setup: StepTree;
  readonly cases: Map<number, StepTree>;
  readonly teardown: StepTree;
}

/**
 * Allure results in a folder: a case for each action file, and for each row of its dataset, with its steps inside one
 * another; steps of setup and teardown in a container beside it; evidence of failed steps as attachments.
 */
export function allure(target: ReporterTarget): Reporter {
  const results = new Results(target);
  return {
    event(event) {
      if (event.kind === 'run-started') results.begin(event);
      if (event.kind === 'step-finished' && !event.record.superseded) results.add(event);
      if (event.kind === 'unit-finished') results.close(event);
      if (event.kind === 'run-finished') results.end();
    },
  };
}

class Results {
  readonly #target: ReporterTarget;
  readonly #open = new Map<string, Unit>();
  readonly #infos = new Map<string, UnitInfo>();
  #run = '';
  #started = 0;
  #ids = 0;

  constructor(target: ReporterTarget) {
    this.#target = target;
  }

  begin({ run, started_at, units }: Finished<'run-started'>): void {
    this.#run = run;
    this.#started = Date.parse(started_at);
    for (const unit of units) this.#infos.set(unit.source, unit);
  }

  add({ step, record, evidence }: Finished<'step-finished'>): void {
    const unit = this.#unit(step.source);
    const attachments = record.status === 'failed' ? evidence.flatMap((piece) => this.#attach(piece)) : [];
    treeOf(unit, step.part, record.row).add(record, stepOf(step, record, attachments));
  }

  /** Writes the cases of a file: once for each time that it runs. */
  close({ source, status, reason }: Pick<Finished<'unit-finished'>, 'source' | 'status' | 'reason'>): void {
    const unit = this.#unit(source);
    this.#open.delete(source);
    if (unit.cases.size === 0) unit.cases.set(0, new StepTree());
    const around = [...unit.setup.steps, ...unit.teardown.steps];
    const ended: Ended = { status, ...(reason !== undefined && { reason }), around, started: this.#started };
    const children = [...unit.cases].map(([row, tree]) => {
      const result = this.#result(source, row, judged(tree.steps, ended));
      this.#write(allureFileName(result, 'result'), result);
      return result.uuid;
    });
    if (around.length > 0) this.#contain(source, children, unit);
  }

  /** Files that a stop kept from ending are written with the steps that they had. */
  end(): void {
    for (const source of this.#open.keys()) this.close({ source, status: 'failed', reason: 'The run was stopped.' });
  }

  #result(source: string, row: number, verdict: Verdict): AllureResult {
    const name = this.#infos.get(source)?.name ?? source;
    const of = row === 0 ? '' : ` [row ${row}]`;
    return allureResult(
      { uuid: this.#uuid(), fullName: `${source}${of}`, testCaseId: source, suite: source },
      { name: `${name}${of}`, ...verdict, parameters: row === 0 ? [] : [{ name: 'row', value: String(row) }] },
    );
  }

  #contain(source: string, children: readonly string[], { setup, teardown }: Unit): void {
    const all = [...setup.steps, ...teardown.steps];
    const container: AllureContainer = {
      uuid: this.#uuid(),
      name: source,
      children,
      befores: setup.steps,
      afters: teardown.steps,
      ...spanOf(all, this.#started),
    };
    this.#write(allureFileName(container, 'container'), container);
  }

  #attach(evidence: Finished<'step-finished'>['evidence'][number]): readonly AllureAttachment[] {
    return attachmentsOf(evidence).map(({ name, type, ending, content }) => {
      const source = `${this.#uuid()}-attachment.${ending}`;
      this.#target.file?.(source, content);
      return { name, source, type };
    });
  }

  #write(name: string, content: object): void {
    this.#target.file?.(name, `${jsonText(content, 2)}\n`);
  }

  #unit(source: string): Unit {
    const unit = this.#open.get(source) ?? { setup: new StepTree(), cases: new Map(), teardown: new StepTree() };
    this.#open.set(source, unit);
    return unit;
  }

  /** The random part of the run's id, and a number: no other run, and nothing else in this one, has it. */
  #uuid(): string {
    this.#ids += 1;
    return dashed(`${this.#run.padEnd(20, '0').slice(0, 20)}${this.#ids.toString(16).padStart(12, '0')}`);
  }
}

function treeOf({ setup, cases, teardown }: Unit, part: 'setup' | 'body' | 'teardown', row = 0): StepTree {
  if (part !== 'body') return part === 'setup' ? setup : teardown;
  const tree = cases.get(row) ?? new StepTree();
  cases.set(row, tree);
  return tree;
}

interface Ended {
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly reason?: string;
  /** Steps of setup and teardown, whose failure is one of every case. */
  readonly around: readonly AllureBody[];
  /** Beginning of the run, for a case without steps. */
  readonly started: number;
}

type Verdict = Pick<AllureResult, 'status' | 'statusDetails' | 'start' | 'stop' | 'steps'>;

/** The first failure decides; a file that failed beside its steps is broken, one without a step that ran skipped. */
function judged(steps: readonly AllureBody[], { status, reason, around, started }: Ended): Verdict {
  const base = { steps, ...spanOf(steps.length > 0 ? steps : around, started) };
  const failed = firstFailed([...steps, ...around]);
  if (failed) return { ...base, status: failed.status, statusDetails: failed.statusDetails };
  if (status === 'failed' && reason !== undefined)
    return { ...base, status: 'broken', statusDetails: { message: reason } };
  const skips = status === 'skipped' || (steps.length > 0 && steps.every((step) => step.status === 'skipped'));
  const said: AllureStatus = skips ? 'skipped' : 'passed';
  const message = reason ?? (skips ? steps[0]?.statusDetails.message : undefined);
  const isFlaky = steps.some((step) => step.statusDetails.flaky);
  return {
    ...base,
    status: said,
    statusDetails: { ...(message !== undefined && { message }), ...(isFlaky && { flaky: true }) },
  };
}

function firstFailed(steps: readonly AllureBody[]): AllureBody | undefined {
  return steps.find(({ status }) => status === 'failed' || status === 'broken');
}

function spanOf(steps: readonly AllureBody[], otherwise: number): { readonly start: number; readonly stop: number } {
  let start = Infinity;
  let stop = 0;
  for (const step of steps) {
    start = Math.min(start, step.start);
    stop = Math.max(stop, step.stop);
  }
  return steps.length === 0 ? { start: otherwise, stop: otherwise } : { start, stop };
}
