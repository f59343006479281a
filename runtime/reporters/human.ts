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
import type { JsonObject } from '#schemas/types/json.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { colours, type Colours } from './colours.ts';
import { countsText } from './counts-text.ts';
import { dryText, wouldText } from './dry-text.ts';
import { duration } from './duration.ts';
import { failureText, type Paper } from './failure-text.ts';
import { httpText } from './http-text.ts';
import { keptText } from './kept-text.ts';
import { Rest } from './rest-text.ts';
import { resultText } from './result-text.ts';
import { fullTitleOf, titleOf } from './step-title.ts';

export interface HumanOptions {
  /** Every step, with requests and answers; else only steps that have a name, and failures. */
  readonly verbose?: boolean;
  /** Defaults of a command's parameters, by name: a dry run leaves out what has its default. */
  readonly defaultsOf?: (command: string) => JsonObject;
}

/**
 * Reporter for people: a heading a file, a line for each named step, failures as they happen, a summary. Files
 * that run at once are printed one after another. A terminal gets a last line that says what is going on.
 */
export function human(target: ReporterTarget, options: HumanOptions = {}): Reporter {
  const view = new HumanView(target, options);
  return { showsEvidence: options.verbose === true, event: (event) => view.event(event), end: () => view.end() };
}

/** Failures that the summary names again. */
const MOST_RECALLED = 20;

interface OpenUnit {
  readonly source: string;
  /** One of several turns of the same file. */
  readonly isTurn: boolean;
  readonly rest: Rest;
  lines: string[];
  done: boolean;
}

class HumanView {
  readonly #target: ReporterTarget;
  readonly #verbose: boolean;
  readonly #defaultsOf: HumanOptions['defaultsOf'];
  readonly #paint: Colours;
  readonly #paper: Paper;
  readonly #units = new Map<string, UnitInfo>();
  readonly #failed: string[] = [];
  #open: OpenUnit[] = [];
  #live = '';
  #finished = 0;
  #total = 0;
  #seed: number | undefined;

  constructor(target: ReporterTarget, { verbose, defaultsOf }: HumanOptions) {
    this.#target = target;
    this.#verbose = verbose === true;
    if (!import.meta.withoutVerbose) this.#defaultsOf = defaultsOf;
    this.#paint = colours(target.colour);
    this.#paper = { paint: this.#paint, columns: target.columns };
  }

  event(event: RunEvent): void {
    switch (event.kind) {
      case 'run-started':
        for (const unit of event.units) this.#units.set(unit.source, unit);
        this.#seed = event.seed;
        this.#total = event.units.reduce((sum, unit) => sum + unit.steps, 0);
        return;
      case 'unit-started':
        return this.#unitStarted(event);
      case 'step-started':
        return this.#showLive(event.step);
      case 'attempt-failed':
        if (!import.meta.withoutVerbose && this.#verbose)
          this.#print(
            sourceOf(event.step),
            `  ${this.#paint.yellow('↻')} ${titleOf(event.step)}: attempt ${event.attempt} failed: ${printableLine(event.error.message)}`,
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
      default:
        // Lines of commands are written as they are, below what may be redrawn.
        if (!import.meta.withoutLines && event.kind === 'lines') this.#clearLive();
    }
  }

  end(): void {
    this.#clearLive();
  }

  #unitStarted({ source, row, repeat }: Extract<RunEvent, { kind: 'unit-started' }>): void {
    let unit = this.#open.find((candidate) => candidate.source === source);
    if (!unit) {
      unit = { source, isTurn: repeat !== undefined, rest: new Rest(), lines: [], done: false };
      this.#open.push(unit);
      const name = this.#units.get(source)?.name;
      const turn = import.meta.withoutMoreUnits || repeat === undefined ? '' : this.#paint.dim(`  run ${repeat + 1}`);
      this.#print(
        source,
        `${this.#paint.bold(printableLine(source))}${name ? `  ${this.#paint.dim(printableLine(name))}` : ''}${turn}`,
      );
    }
    if (!import.meta.withoutVerbose && row !== undefined && this.#verbose) this.#print(source, `  row ${row}`);
  }

  #stepFinished(step: StepView, record: RunRecord, evidence: readonly Evidence[]): void {
    if (record.superseded) {
      if (!import.meta.withoutVerbose && this.#verbose)
        this.#print(step.source, supersededText(step, record, this.#paint));
      return;
    }
    this.#finished += 1;
    const isNotable = step.name !== undefined || record.flaky === true;
    const shown = this.#verbose || (isNotable && record.status !== 'skipped') || record.status === 'dry-run';
    this.#open.find((unit) => unit.source === step.source)?.rest.add(step, record, !shown);
    if (record.status === 'failed') {
      this.#failed.push(
        `${printableLine(record.file)}:${record.line}:${record.column}  ${import.meta.withoutMatrix ? titleOf(step) : fullTitleOf(step)}`,
      );
      this.#print(step.source, `  ${this.#paint.red('✗')} ${titleOf(step)}\n${failureText(step, record, this.#paper)}`);
      if (!import.meta.withoutEvidence)
        for (const line of keptText(evidence)) this.#print(step.source, this.#paint.dim(line));
    } else if (shown) {
      const isAnswer = evidence.some(({ kind }) => kind === 'http');
      this.#print(step.source, `  ${this.#mark(record)} ${titleOf(step)}${this.#after(record, isAnswer)}`);
    }
    if (!import.meta.withoutVerbose && this.#verbose)
      for (const piece of evidence) if (piece.kind === 'http') this.#print(step.source, httpText(piece));
  }

  #mark(record: RunRecord): string {
    if (record.status === 'skipped') return this.#paint.dim('-');
    if (record.status === 'dry-run') return this.#paint.blue('○');
    return record.flaky ? this.#paint.yellow('✓') : this.#paint.green('✓');
  }

  #after(record: RunRecord, isAnswer: boolean): string {
    if (record.status === 'skipped') return this.#paint.dim(`  skipped: ${printableLine(record.reason ?? '')}`);
    if (record.status === 'dry-run')
      return record.result === undefined
        ? ''
        : this.#paint.dim(
            `  ${dryText(record.result, import.meta.withoutVerbose ? {} : this.#defaultsOf?.(record.command))}`,
          ) + (import.meta.withoutPreviews ? '' : wouldText(record.result));
    const attempts = record.attempts > 1 ? `  ${record.flaky ? 'flaky, ' : ''}${record.attempts} attempts` : '';
    const did = !import.meta.withoutVerbose && this.#verbose && !isAnswer ? resultText(record.result) : '';
    return this.#paint.dim(`  ${duration(record.duration_ms)}${attempts}${did === '' ? '' : `  ${did}`}`);
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
    this.#tellRest(unit);
    const why = reason === undefined ? '' : printableLine(reason);
    // The summary says the same where there is one file.
    const isAlone = this.#units.size === 1 && !unit.isTurn;
    const text = isAlone ? why : `${countsText(counts)} in ${duration(ms)}${why === '' ? '' : `: ${why}`}`;
    if (text !== '') this.#print(source, `  ${status === 'failed' ? this.#paint.red(text) : this.#paint.dim(text)}`);
    unit.done = true;
    this.#flush();
  }

  /** A file that never began: it waits for its turn to be told of like the others. */
  #unitWithoutSteps(source: string, status: UnitOutcome['status'], reason: string | undefined): void {
    const text = `${printableLine(source)}: ${status}${reason === undefined ? '' : `, ${printableLine(reason)}`}`;
    const line = status === 'failed' ? this.#paint.red(text) : this.#paint.dim(text);
    if (this.#open.length === 0) return this.#write(line);
    this.#open.push({ source, isTurn: false, rest: new Rest(), lines: [line], done: true });
  }

  /** Prints the steps that have no line of their own, and why the rest ran or not. */
  #tellRest({ source, rest }: OpenUnit): void {
    if (rest.passed !== '') this.#print(source, this.#paint.dim(`  ✓ ${rest.passed}`));
    for (const note of rest.notes(this.#units.get(source)?.on_failure ?? ''))
      this.#print(source, this.#paint.dim(`  ${note}`));
  }

  #summary(outcome: RunOutcome): void {
    // Nothing ran; who called for the run is told why.
    if (outcome.refused) return;
    this.#open.forEach((unit) => (unit.done = true));
    this.#flush();
    const count = new Set(outcome.files.map(({ file }) => file)).size;
    const files = count === 1 ? '' : `, ${count} files`;
    const text = `${countsText(outcome.counts)} in ${duration(outcome.duration_ms)}${files}${this.#seed === undefined ? '' : `, seed ${this.#seed}`}`;
    this.#clearLive();
    if (!import.meta.withoutMoreUnits && count > 1) this.#target.write(recalled(this.#failed, this.#paint));
    if (outcome.stopped) this.#target.write(`${this.#paint.yellow(`stopped: ${printableLine(outcome.stopped)}`)}\n`);
    this.#target.write(`${outcome.status === 'passed' ? this.#paint.green(text) : this.#paint.red(text)}\n`);
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
    const text = `[${this.#finished}/${Math.max(this.#total, this.#finished + 1)}] ${titleOf(step)}`;
    this.#live = text.slice(0, Math.max(this.#target.columns - 1, 20));
    this.#target.write(this.#paint.dim(this.#live));
  }

  #clearLive(): void {
    if (this.#live === '') return;
    this.#live = '';
    this.#target.write('\r\u001b[2K');
  }
}

function sourceOf(step: StepView): string | undefined {
  return step.source;
}

/** Failures again, which of several files may have gone out of sight. */
function recalled(failed: readonly string[], paint: Colours): string {
  if (failed.length === 0) return '';
  const more = failed.length - MOST_RECALLED;
  const lines = [...failed.slice(0, MOST_RECALLED), ...(more > 0 ? [`… and ${more} more`] : [])];
  return `${paint.red('failed:')}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

/** A step whose block was tried again. */
function supersededText(step: StepView, record: RunRecord, paint: Colours): string {
  const text = record.status === 'failed' ? `failed: ${printableLine(record.error?.message ?? '')}` : record.status;
  return `  ${paint.yellow('↻')} ${titleOf(step)}: ${text}`;
}
