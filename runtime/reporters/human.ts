import { printableLine } from '#grammar/source/printable.ts';
import type { Evidence } from '#runtime/kernel/ports.ts';
import type {
  Reporter,
  ReporterTarget,
  RunEvent,
  RunOutcome,
  StepView,
  UnitInfo,
  UnitOutcome,
} from '#runtime/kernel/events.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { colours, type Colours } from './colours.ts';
import { countsText } from './counts-text.ts';
import { duration } from './duration.ts';
import { failureText } from './failure-text.ts';
import { httpText } from './http-text.ts';

export interface HumanOptions {
  /** Every step, with requests and answers; else only steps that have a name, and failures. */
  readonly verbose?: boolean;
}

/**
 * For people: a heading a file, a line for each named step, failures as they happen, a summary. Files that run at once are
 * printed one after another. A terminal gets a last line that says what is going on.
 */
export function human(target: ReporterTarget, options: HumanOptions = {}): Reporter {
  const view = new HumanView(target, options.verbose === true);
  return { showsEvidence: options.verbose === true, event: (event) => view.event(event), end: () => view.end() };
}

/** Failures that the summary names again. */
const MOST_RECALLED = 20;

interface OpenUnit {
  readonly source: string;
  lines: string[];
  done: boolean;
  failed: boolean;
}

class HumanView {
  readonly #target: ReporterTarget;
  readonly #verbose: boolean;
  readonly #paint: Colours;
  readonly #units = new Map<string, UnitInfo>();
  readonly #failed: string[] = [];
  #open: OpenUnit[] = [];
  #live = '';
  #finished = 0;
  #total = 0;

  constructor(target: ReporterTarget, verbose: boolean) {
    this.#target = target;
    this.#verbose = verbose;
    this.#paint = colours(target.colour);
  }

  event(event: RunEvent): void {
    switch (event.kind) {
      case 'run-started':
        for (const unit of event.units) this.#units.set(unit.source, unit);
        this.#total = event.units.reduce((sum, unit) => sum + unit.steps, 0);
        return;
      case 'unit-started':
        return this.#unitStarted(event);
      case 'step-started':
        return this.#showLive(event.step);
      case 'attempt-failed':
        if (this.#verbose)
          this.#print(
            sourceOf(event.step),
            `  ${this.#paint.yellow('↻')} ${title(event.step)}: attempt ${event.attempt} failed: ${printableLine(event.error.message)}`,
          );
        return;
      case 'step-finished':
        return this.#stepFinished(event.step, event.record, event.evidence);
      case 'unit-finished':
        return this.#unitFinished(event);
      case 'notice':
        return this.#print(
          event.source,
          `${event.level === 'warning' ? this.#paint.yellow('warning') : 'note'}: ${printableLine(event.text)}`,
        );
      case 'run-finished':
        return this.#summary(event.outcome);
    }
  }

  end(): void {
    this.#clearLive();
  }

  #unitStarted({ source, row, repeat }: Extract<RunEvent, { kind: 'unit-started' }>): void {
    let unit = this.#open.find((candidate) => candidate.source === source);
    if (!unit) {
      unit = { source, lines: [], done: false, failed: false };
      this.#open.push(unit);
      const name = this.#units.get(source)?.name;
      const turn = repeat === undefined ? '' : this.#paint.dim(`  run ${repeat + 1}`);
      this.#print(
        source,
        `${this.#paint.bold(printableLine(source))}${name ? `  ${this.#paint.dim(printableLine(name))}` : ''}${turn}`,
      );
    }
    if (row !== undefined && this.#verbose) this.#print(source, `  row ${row}`);
  }

  #stepFinished(step: StepView, record: RunRecord, evidence: readonly Evidence[]): void {
    this.#finished += 1;
    const shown =
      this.#verbose || (step.name !== undefined && record.status !== 'skipped') || record.status === 'dry-run';
    if (record.status === 'failed') {
      this.#failed.push(`${printableLine(record.file)}:${record.line}:${record.column}  ${title(step)}`);
      this.#print(record.file, `  ${this.#paint.red('✗')} ${title(step)}\n${failureText(step, record, this.#paint)}`);
      const unit = this.#open.find((candidate) => candidate.source === record.file);
      if (unit) unit.failed = true;
    } else if (shown) this.#print(record.file, `  ${this.#mark(record)} ${title(step)}${this.#after(record)}`);
    if (this.#verbose)
      for (const piece of evidence) if (piece.kind === 'http') this.#print(record.file, httpText(piece));
  }

  #mark(record: RunRecord): string {
    if (record.status === 'skipped') return this.#paint.dim('-');
    if (record.status === 'dry-run') return this.#paint.blue('○');
    return record.flaky ? this.#paint.yellow('✓') : this.#paint.green('✓');
  }

  #after(record: RunRecord): string {
    if (record.status === 'skipped') return this.#paint.dim(`  skipped: ${printableLine(record.reason ?? '')}`);
    if (record.status === 'dry-run')
      return record.result === undefined ? '' : this.#paint.dim(`  ${printableLine(JSON.stringify(record.result))}`);
    const flaky = record.flaky ? `  flaky, ${record.attempts} attempts` : '';
    return this.#paint.dim(`  ${duration(record.duration_ms)}${flaky}`);
  }

  #unitFinished({
    source,
    status,
    counts,
    duration_ms: ms,
    reason,
  }: Extract<RunEvent, { kind: 'unit-finished' }>): void {
    const unit = this.#open.find((candidate) => candidate.source === source);
    if (!unit) return this.#unitWithoutSteps(source, status, reason);
    const text = `  ${countsText(counts)} in ${duration(ms)}${reason === undefined ? '' : `: ${printableLine(reason)}`}`;
    this.#print(source, status === 'failed' ? this.#paint.red(text) : this.#paint.dim(text));
    if (unit.failed) this.#explainRest(source);
    unit.done = true;
    this.#flush();
  }

  /** A file that never began: it waits for its turn to be told of like the others. */
  #unitWithoutSteps(source: string, status: UnitOutcome['status'], reason: string | undefined): void {
    const text = `${printableLine(source)}: ${status}${reason === undefined ? '' : `, ${printableLine(reason)}`}`;
    const line = status === 'failed' ? this.#paint.red(text) : this.#paint.dim(text);
    if (this.#open.length === 0) return this.#write(line);
    this.#open.push({ source, lines: [line], done: true, failed: false });
  }

  #explainRest(source: string): void {
    const rule = whyRest[this.#units.get(source)?.on_failure ?? ''];
    if (rule !== undefined) this.#print(source, this.#paint.dim(`  ${rule}`));
  }

  #summary(outcome: RunOutcome): void {
    // Nothing ran; who called for the run is told why.
    if (outcome.refused) return;
    this.#open.forEach((unit) => (unit.done = true));
    this.#flush();
    const count = new Set(outcome.files.map(({ file }) => file)).size;
    const text = `${countsText(outcome.counts)} in ${duration(outcome.duration_ms)}, ${count} ${count === 1 ? 'file' : 'files'}`;
    this.#clearLive();
    if (count > 1) this.#recall();
    if (outcome.stopped) this.#target.write(`${this.#paint.yellow(`stopped: ${printableLine(outcome.stopped)}`)}\n`);
    this.#target.write(`${outcome.status === 'passed' ? this.#paint.green(text) : this.#paint.red(text)}\n`);
  }

  /** Of several files, the failures may have gone out of sight. */
  #recall(): void {
    if (this.#failed.length === 0) return;
    const more = this.#failed.length - MOST_RECALLED;
    const lines = [...this.#failed.slice(0, MOST_RECALLED), ...(more > 0 ? [`… and ${more} more`] : [])];
    this.#target.write(`${this.#paint.red('failed:')}\n${lines.map((line) => `  ${line}\n`).join('')}`);
  }

  /** Prints now what belongs to the file at the head; holds what belongs to files behind it. */
  #print(source: string | undefined, text: string): void {
    const unit = source === undefined ? undefined : this.#open.find((candidate) => candidate.source === source);
    if (unit && unit !== this.#open[0]) unit.lines.push(text);
    else this.#write(text);
  }

  #flush(): void {
    while (this.#open[0]?.done) {
      this.#open.shift();
      const next = this.#open[0];
      if (!next) break;
      for (const line of next.lines) this.#write(line);
      next.lines = [];
    }
  }

  #write(text: string): void {
    this.#clearLive();
    this.#target.write(`${text}\n`);
  }

  #showLive(step: StepView): void {
    if (!this.#target.live) return;
    this.#clearLive();
    const text = `[${this.#finished}/${Math.max(this.#total, this.#finished + 1)}] ${title(step)}`;
    this.#live = text.slice(0, Math.max(this.#target.columns - 1, 20));
    this.#target.write(this.#paint.dim(this.#live));
  }

  #clearLive(): void {
    if (this.#live === '') return;
    this.#live = '';
    this.#target.write('\r\u001b[2K');
  }
}

/** Why the rest of a body ran or not, by the rule of its unit. */
const whyRest: Readonly<Record<string, string>> = {
  stop: 'the rest was skipped: `stop`, as `actions:` bodies do; `meta.on_failure: continue` runs it',
  continue: 'the rest ran: `continue`, as lists, `svc:` and `webdriver_wrapper:` bodies do; `actions:` stops',
  'graph: skip-dependents': 'what depends on a failed node was skipped; `meta.fail_fast: false` runs it',
  'graph: run-dependents': 'what depends on a failed node ran too, because of `meta.fail_fast: false`',
  'graph: stop': 'no further node began, because of `meta.on_failure: stop`',
};

function title(step: StepView): string {
  const row = step.row === undefined ? '' : ` [row ${step.row}]`;
  return `${printableLine(step.name ?? step.command)}${row}`;
}

function sourceOf(step: StepView): string | undefined {
  return step.place?.file;
}
