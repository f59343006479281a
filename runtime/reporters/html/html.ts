import type { Counts, Reporter, ReporterTarget, UnitOutcome } from '#runtime/kernel/events.ts';

import { countsText } from '../counts-text.ts';
import { duration } from '../duration.ts';
import { html as markup, type Markup } from './markup.ts';
import { page } from './page.ts';
import { stepMarkup, type StepEntry } from './step.ts';

/** Evidence of passed steps is kept up to this many bytes in all; that of failed steps up to four times as much. */
const evidenceLimit = 8 * 1024 * 1024;

/** One self-contained page, written at the end of the run. */
export function html(target: ReporterTarget): Reporter {
  const collected = new Collected();
  return {
    event(event) {
      if (event.kind === 'run-started') collected.started = event.started_at;
      if (event.kind === 'notice') collected.notices.push(event.source === undefined ? event.text : `${event.source}: ${event.text}`);
      if (event.kind === 'step-finished') collected.add(event);
      if (event.kind === 'run-finished') {
        const { started, notices } = collected;
        const { failures, files } = collected.sections(event.outcome.files);
        target.write(page({ outcome: event.outcome, started, notices, failures, files }));
      }
    },
  };
}

class Collected {
  started = '';
  readonly notices: string[] = [];
  readonly #failures: Markup[] = [];
  readonly #steps = new Map<string, Markup[]>();
  #kept = 0;

  add(entry: StepEntry): void {
    const failed = entry.record.status === 'failed';
    const kept = this.#bounded(entry, failed ? evidenceLimit * 4 : evidenceLimit);
    const steps = this.#steps.get(entry.record.file) ?? [];
    this.#steps.set(entry.record.file, steps);
    if (failed) {
      this.#failures.push(stepMarkup(kept, this.#failures.length < 20));
      steps.push(stepMarkup({ ...entry, evidence: [] }, false));
    } else steps.push(stepMarkup(kept, false));
  }

  #bounded(entry: StepEntry, limit: number): StepEntry {
    const size = entry.evidence.reduce((sum, piece) => sum + (piece.kind === 'picture' ? piece.bytes.length * 1.34 : 4_000), 0);
    if (this.#kept + size > limit) return { ...entry, evidence: [] };
    this.#kept += size;
    return entry;
  }

  sections(files: readonly UnitOutcome[]): { failures: readonly Markup[]; files: readonly Markup[] } {
    return { failures: this.#failures, files: files.map((file) => this.#file(file)) };
  }

  #file(file: UnitOutcome): Markup {
    const status = file.status === 'passed' && file.counts.flaky > 0 ? 'flaky' : file.status;
    const mark = { passed: '✓', failed: '✗', flaky: '↻', skipped: '–' }[status];
    return markup`<details class="file ${status}"><summary><span class="mark">${mark}</span><span class="name">${file.file}</span><span class="dim">${text(file.counts)}${file.reason !== undefined && ` · ${file.reason}`}</span>
<span class="time">${duration(file.duration_ms)}</span></summary><div class="steps">${this.#steps.get(file.file) ?? []}</div></details>
`;
  }
}

function text(counts: Counts): string {
  return countsText(counts);
}
