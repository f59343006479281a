import type { Evidence } from '#runtime/kernel/ports.ts';
import type { StepView } from '#runtime/kernel/events.ts';
import type { Json } from '#schemas/types/json.ts';
import type { RecordedError, RecordedExpectation, RunRecord } from '#schemas/types/record.ts';

import { duration } from '../duration.ts';
import { causes, classText, optionPlace, valueText } from '../failure-text.ts';
import { base64 } from './base64.ts';
import { html, type Markup } from '#grammar/markup/html.ts';
import { hidePasswords, mayHoldPassword, withoutPasswords } from '../passwords.ts';
import { prose } from './prose.ts';
import { forEachStatus, mark, statusOf } from './status.ts';

export interface StepEntry {
  readonly step: StepView;
  readonly record: RunRecord;
  readonly evidence: readonly Evidence[];
  /** There was more than the page takes. */
  readonly leftOut?: boolean;
}

/** Characters of a request's or an answer's body, and of other texts. */
const MOST_BODY = 8_000;
const MOST_TEXT = 64_000;

/** Place where a step is shown: among those of its file, or among the failures of all files. */
export type StepPlace = 'file' | 'failures';

/** Tags of steps by their status, without their end: made once, since every step has one. */
const beginnings = forEachStatus((status) => html`<details class="${status}"`);
const innerBeginnings = forEachStatus((status) => html`<details class="${status} inner"`);

/**
 * One step: a line, and behind it what is known of it. Lines end inside of tags: a break between two would be one node
 * more of each step in the browser.
 */
export function stepMarkup(entry: StepEntry, place: StepPlace, open: boolean): Markup {
  const { step, record } = entry;
  const status = statusOf(record);
  const isInner = record.parent !== undefined && place === 'file';
  const id = place === 'failures' ? record.id : record.id.slice(step.source.length);
  const name = step.name ?? record.command;
  return html`${(isInner ? innerBeginnings : beginnings)[status]}${open && html` open`}><summary>${mark(status)}<span
class="name">${name}</span
><span class="dim">${about(entry, id)}</span
><span class="time">${duration(record.duration_ms)}</span></summary><div class="body">${
    record.error && errorMarkup(record.error, step.values)
  }<pre
>${sourceText(step, record)}</pre
>${outcome(entry)}</div></details>
`;
}

/** The command where the step has a name of its own, its id, row and attempts. */
function about({ step, record }: StepEntry, id: string): string | Markup {
  const { command, row, attempts } = record;
  if (step.name === undefined && row === undefined && attempts === 1) return id;
  const of = step.name !== undefined && html`${command} &#183; `;
  return html`${of}${id}${row !== undefined && html` &#183; row ${row}`}${attempts > 1 && html` &#183; ${attempts} attempts`}`;
}

/** Reason, result and evidence; of most steps there is at most a result. */
function outcome({ record, evidence, leftOut }: StepEntry): Markup | false {
  const { reason, result } = record;
  const shown = result !== undefined && !isShown(evidence) && html`<pre>${resultText(result)}</pre>`;
  if (reason === undefined && evidence.length === 0 && !leftOut) return shown;
  return html`${reason !== undefined && html`<p class="dim">Skipped: ${prose(reason)}</p>`}${shown}${evidence.map(
    evidenceMarkup,
  )}${leftOut && tooLarge}`;
}

const tooLarge = html`<p class="dim"
>Requests and pictures of this step are left out, because the page would become too large.</p>`;

/**
 * Place and text of the whole step; where its file is not at hand its first line, and of a step that failed the
 * conditions that do not hold and the option that failed.
 */
function sourceText({ place }: StepView, { file, line, column, error }: RunRecord): string {
  const at = `${file}:${line}:${column}\n`;
  if (!place) return at;
  if (place.source !== undefined) return at + numbered(place.source, line);
  let text = `${at}${line} | ${place.text}`;
  const conditions = (error?.expectations ?? []).map(({ index }) => place.expect?.[index]);
  for (const wrong of [...conditions, optionPlace(place, error)]) if (wrong) text += `\n${wrong.line} | ${wrong.text}`;
  return text;
}

function numbered(source: string, first: number): string {
  const lines = source.split(/\r?\n/);
  const width = String(first + lines.length - 1).length;
  return lines.map((text, index) => `${String(first + index).padStart(width)} | ${text}`).join('\n');
}

function errorMarkup(error: RecordedError, row: StepView['values']): Markup {
  const rows = sides(error);
  rows.push(
    html`<dt>kind</dt><dd>${classText(error.class)}</dd>`,
    ...(error.code === undefined ? [] : [html`<dt>code</dt><dd>${error.code}</dd>`]),
  );
  if (row !== undefined) rows.push(html`<dt>row</dt><dd>${valueText(row)}</dd>`);
  rows.push(...causes(error).map((cause) => html`<dt>because</dt><dd>${cause}</dd>`));
  const [, ...others] = error.expectations ?? [];
  return html`${messageMarkup(error, rows)}${others.map(expectationMarkup)}`;
}

/** A condition that does not hold either. */
function expectationMarkup(other: RecordedExpectation): Markup {
  return messageMarkup(other, sides(other));
}

function messageMarkup({ message: text, help }: Pick<RecordedError, 'message' | 'help'>, rows: Markup[]): Markup {
  const advice = help === undefined ? undefined : html`<p class="dim">${prose(help)}</p>`;
  return html`<p class="message">${prose(text)}</p><dl>${rows}</dl>${advice}`;
}

function sides({ actual, expected }: Pick<RecordedError, 'actual' | 'expected'>): Markup[] {
  const rows: Markup[] = [];
  if (actual !== undefined) rows.push(html`<dt>actual</dt><dd>${valueText(actual)}</dd>`);
  if (expected !== undefined) rows.push(html`<dt>expected</dt><dd>${valueText(expected)}</dd>`);
  return rows;
}

function resultText(result: Json): string {
  const open = JSON.stringify(result, null, 2);
  const text = mayHoldPassword(open) ? JSON.stringify(withoutPasswords(result), null, 2) : open;
  return text.length > 8_000 ? `${text.slice(0, 8_000)}\n… (${text.length} characters)` : text;
}

/** One piece: a request with its answer, a picture, a text, or the path of a file. */
export function evidenceMarkup(piece: Evidence): Markup {
  switch (piece.kind) {
    case 'http':
      return exchange(piece);
    case 'picture':
      return html`<figure><figcaption class="dim">${piece.name}</figcaption><img loading="lazy"
 alt="Picture: ${piece.name}" src="data:${piece.mediaType};base64,${base64(piece.bytes)}"></figure>`;
    case 'file':
      return html`<p>${piece.name}: <code>${piece.path}</code></p>`;
    case 'text':
      return textMarkup(piece);
  }
}

function textMarkup({ name, text, file, path }: Extract<Evidence, { kind: 'text' }>): Markup {
  const shown = html`<pre>${text.slice(0, MOST_TEXT)}</pre>`;
  if (file === undefined) return html`<p class="dim">${name}</p>${shown}`;
  const title = path === undefined ? name : `${name}: ${path}`;
  return html`<details><summary class="dim">${title}</summary>${shown}</details>`;
}

/** Approximate number of characters that a piece takes on the page. */
export function sizeOf(piece: Evidence): number {
  switch (piece.kind) {
    case 'http':
      return (
        1_000 +
        Math.min(piece.request.body?.length ?? 0, MOST_BODY) +
        Math.min(piece.response?.body?.length ?? 0, MOST_BODY)
      );
    case 'picture':
      return Math.ceil(piece.bytes.length / 3) * 4;
    case 'file':
      return 200;
    case 'text':
      return Math.min(piece.text.length, MOST_TEXT);
  }
}

/** The answer stands there already, with its request: the result of the step says the same. */
function isShown(evidence: readonly Evidence[]): boolean {
  return evidence.some((piece) => piece.kind === 'http' && piece.response !== undefined);
}

function exchange({ request, response, elapsed_ms }: Extract<Evidence, { kind: 'http' }>): Markup {
  const answer = response
    ? `${response.status} in ${duration(elapsed_ms)}\n${message(response)}`
    : `no answer after ${duration(elapsed_ms)}`;
  return html`<h3>Request</h3><pre>${request.method} ${request.url}
${message(request)}</pre><h3>Response</h3><pre>${answer}</pre>`;
}

function message({
  headers,
  body: text,
}: {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    ...lines,
    ...(text === undefined || text === '' ? [] : ['', hidePasswords(pretty(text)).slice(0, MOST_BODY)]),
  ].join('\n');
}

/** JSON with its structure to be seen; any other text, and what is too long for the page anyway, as it is. */
function pretty(text: string): string {
  if (text.length > MOST_BODY || !/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
