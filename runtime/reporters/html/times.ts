import { html, type Markup } from '#grammar/markup/html.ts';

import { duration } from '../duration.ts';
import type { StepEntry } from './step.ts';
import { statusOf, type Status } from './status.ts';
import { counted } from '#grammar/source/counted.ts';

/** Steps in the list of the slowest, on the time line, and files on it. */
const SLOWEST = 10;
const MOST_BARS = 600;
const MOST_LANES = 40;
/** Units of the width of the time line, and the least that a step takes of them. */
const WIDTH = 1000;
const NARROWEST = 2;

interface Timed {
  readonly id: string;
  readonly file: string;
  readonly place: string;
  readonly name: string;
  readonly status: Status;
  readonly started_at: string;
  readonly ms: number;
}

/** Steps by their times: the slowest, and when each ran. */
export class Times {
  /** The longest so far, and as many again before the shorter are dropped. */
  #steps: Timed[] = [];
  #count = 0;
  /** Steps that take no longer are not among the longest. */
  #shortest = -1;
  /** Steps that hold others: their time is that of these. Nearly all end after these. */
  readonly #holders = new Set<string>();

  add({ step, record }: StepEntry): void {
    const { id, parent, duration_ms: ms } = record;
    if (parent !== undefined) this.#holders.add(parent);
    const status = statusOf(record);
    if (status === 'skipped' || status === 'shown' || (this.#holders.size > 0 && this.#holders.has(id))) return;
    this.#count += 1;
    if (ms <= this.#shortest) return;
    const { file, line, command, started_at } = record;
    const place = `${file}:${line}`;
    this.#steps.push({ id, file: step.source, place, name: step.name ?? command, status, started_at, ms });
    if (this.#steps.length === 2 * MOST_BARS) {
      this.#steps = this.#longest;
      this.#shortest = this.#steps.at(-1)?.ms ?? -1;
    }
  }

  get #longest(): Timed[] {
    const steps = this.#steps.filter(({ id }) => !this.#holders.has(id));
    return steps.toSorted((one, other) => other.ms - one.ms).slice(0, MOST_BARS);
  }

  /** False where fewer than two steps ran: there is nothing to compare. */
  get markup(): Markup | false {
    if (this.#count < 2) return false;
    const steps = this.#longest;
    const slowest = html`<ol class="slow">${steps.slice(0, SLOWEST).map(slow)}</ol>`;
    return html`<section id="times"><h2>Times</h2><details><summary>Slowest steps</summary>${slowest}</details
><details><summary>Time line</summary><div class="body">${timeLine(steps, this.#count)}</div></details></section>`;
  }
}

function slow({ name, place, status, ms }: Timed): Markup {
  const about = status === 'passed' ? place : `${place} · ${status}`;
  return html`<li><span class="name">${name}</span> <span class="dim">${about}</span> <span class="time"
>${duration(ms)}</span></li>`;
}

/** A lane for each file. Of a long run the longest steps are shown: the others would be too narrow to be seen. */
function timeLine(steps: readonly Timed[], count: number): Markup {
  const shown = steps.map((step) => ({ step, start: Date.parse(step.started_at) }));
  const begin = shown.reduce((least, { start }) => Math.min(least, start), Infinity);
  const all = shown.reduce((most, { start, step }) => Math.max(most, start + step.ms - begin), 1);
  const lanes = [...Map.groupBy(shown, ({ step }) => step.file)];
  const rows = lanes.slice(0, MOST_LANES).map(([file, bars]) => {
    const rects = bars.map(({ step, start }) => bar(step, ((start - begin) / all) * WIDTH, (step.ms / all) * WIDTH));
    const label = `${file}: ${counted(bars.length, 'step')}`;
    return html`<div class="lane"><span class="dim">${file}</span><svg role="img" aria-label="${label}"
 viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none">${rects}</svg></div>`;
  });
  const left = [
    count > MOST_BARS && `the ${MOST_BARS} longest of ${count} steps`,
    lanes.length > MOST_LANES && `${MOST_LANES} of ${lanes.length} files`,
  ].filter((text) => text !== false);
  return html`${rows}<p class="dim">0 to ${duration(all)}${left.length > 0 && `, ${left.join(', ')}`}</p>`;
}

function bar({ name, status, ms }: Timed, from: number, width: number): Markup {
  const wide = Math.max(NARROWEST, width);
  const at = Math.min(from, WIDTH - wide);
  const title = `${name}: ${status}, ${duration(ms)}`;
  return html`<rect class="${status}" x="${at.toFixed(1)}" y="0" width="${wide.toFixed(1)}" height="10"
><title>${title}</title></rect>`;
}
