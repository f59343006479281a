import type { Counts, Reporter, ReporterTarget, UnitOutcome } from '#runtime/kernel/events.ts';

import { countsText } from '../counts-text.ts';
import { duration } from '../duration.ts';
import { html as markup, type Markup } from '#grammar/markup/html.ts';
import { comparedStep } from './compared.ts';
import { page, type PageParts } from './page.ts';
import { mark } from './status.ts';
import { sizeOf, stepMarkup, type StepEntry } from './step.ts';
import { StepList } from './step-list.ts';
import { Times } from './times.ts';

/** Evidence of passed steps is kept up to this many bytes in all; that of failed steps up to four times as much. */
const evidenceLimit = 8 * 1024 * 1024;

/** Failures that are open when the page is. */
const OPEN = 20;

/** One self-contained page, written at the end of the run. */
export function html(target: ReporterTarget): Reporter {
  const collected = new Collected();
  return {
    event(event) {
      if (event.kind === 'run-started') {
        collected.started = event.started_at;
        collected.seed = event.seed;
        for (const { source, name } of event.units) if (name !== undefined) collected.names.set(source, name);
      }
      if (event.kind === 'notice')
        collected.notices.add(event.source === undefined ? event.text : `${event.source}: ${event.text}`);
      if (event.kind === 'step-finished' && !event.record.superseded) collected.add(event);
      if (event.kind === 'unit-finished' && event.status === 'failed' && event.reason !== undefined)
        collected.addFile(event.source, event.reason);
      if (event.kind === 'run-finished') {
        for (const { message } of event.outcome.refused ?? []) collected.addFile('run', message);
        const { started, seed, notices, times } = collected;
        const { failures, compared, files } = collected.sections(event.outcome.files);
        const parts = { started, seed, notices: [...notices], failures, compared, files, times: times.markup };
        target.write(page({ outcome: event.outcome, ...parts }), 'lines');
      }
    },
  };
}

class Collected {
  started = '';
  seed: number | undefined;
  /** Names that files give themselves, by source. */
  readonly names = new Map<string, string>();
  readonly notices = new Set<string>();
  readonly times = new Times();
  readonly #failures: Markup[] = [];
  readonly #compared: Markup[] = [];
  readonly #steps = new Map<string, StepList>();
  #kept = 0;

  add(entry: StepEntry): void {
    this.times.add(entry);
    const failed = entry.record.status === 'failed';
    const bounded = this.#bounded(entry, failed ? evidenceLimit * 4 : evidenceLimit);
    const compared = comparedStep(bounded);
    if (compared) this.#compared.push(compared.markup);
    const kept = compared?.rest ?? bounded;
    const steps = this.#steps.get(entry.step.source) ?? new StepList();
    this.#steps.set(entry.step.source, steps);
    if (failed) {
      this.#failures.push(stepMarkup(kept, 'failures', this.#failures.length < OPEN));
      steps.add(entry.record, stepMarkup({ ...entry, evidence: [] }, 'file', false));
    } else steps.add(entry.record, stepMarkup(kept, 'file', false));
  }

  /** A file that failed beside its steps. */
  addFile(source: string, reason: string): void {
    this.#failures
      .push(markup`<p class="failed file-failure">${mark('failed')}<span class="name">${source}</span> ${reason}</p>
`);
  }

  #bounded(entry: StepEntry, limit: number): StepEntry {
    if (entry.evidence.length === 0) return entry;
    const size = entry.evidence.reduce((sum, piece) => sum + sizeOf(piece), 0);
    if (this.#kept + size > limit) return { ...entry, evidence: [], leftOut: true };
    this.#kept += size;
    return entry;
  }

  sections(files: readonly UnitOutcome[]): Pick<PageParts, 'failures' | 'compared' | 'files'> {
    const all = [...Map.groupBy(files, ({ file }) => file).values()];
    return {
      failures: this.#failures,
      compared: this.#compared,
      files: all.map((turns) => this.#file(together(turns), all.length === 1)),
    };
  }

  #file(file: UnitOutcome, open: boolean): Markup {
    const name = this.names.get(file.file);
    const status = file.status === 'passed' && file.counts.flaky > 0 ? 'flaky' : file.status;
    const before = name !== undefined && markup`${name} &#183; `;
    const about = markup`${before}${countsText(file.counts)}${file.reason !== undefined && markup` &#183; ${file.reason}`}`;
    const steps = this.#steps.get(file.file)?.markup ?? [];
    return markup`<details class="file ${status}"${open && markup` open`}><summary>${mark(status)}<span class="name"
>${file.file}</span><span class="dim">${about}</span>
<span class="time">${duration(file.duration_ms)}</span></summary><div class="steps">${steps}</div></details>
`;
  }
}

/** A file that ran several times is one on the page. */
function together(turns: readonly UnitOutcome[]): UnitOutcome {
  const [first] = turns;
  if (!first) throw new Error('a file that is told of has run');
  if (turns.length === 1) return first;
  const sum = (key: keyof Counts): number => turns.reduce((total, { counts }) => total + counts[key], 0);
  const worst =
    turns.find(({ status }) => status === 'failed') ?? turns.find(({ status }) => status === 'skipped') ?? first;
  const counts = {
    passed: sum('passed'),
    flaky: sum('flaky'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    dry_run: sum('dry_run'),
  };
  return { ...worst, counts, duration_ms: turns.reduce((total, { duration_ms: ms }) => total + ms, 0) };
}
