import type { Evidence } from '#schemas/types/run-event.ts';
import { isObject } from '#schemas/types/json.ts';

import { html, type Markup } from '#grammar/markup/html.ts';
import { mark, statusOf } from './status.ts';
import { evidenceMarkup, type StepEntry } from './step.ts';

const names: ReadonlySet<string> = new Set(['baseline', 'current', 'difference']);

/** A step that compared a picture with its baseline and found a difference, without these pictures. */
export interface ComparedStep {
  readonly markup: Markup;
  readonly rest: StepEntry;
}

/** Pictures of a step for the one who approves them: baseline, current page and difference, side by side. */
export function comparedStep(entry: StepEntry): ComparedStep | undefined {
  const { step, record, evidence } = entry;
  if (evidence.length < 2) return undefined;
  const pictures = evidence.filter(isCompared);
  const result = isObject(record.result) ? record.result : {};
  const stored = result['baseline'] === 'updated';
  if (pictures.length < 2 || !(stored || record.status === 'failed' || result['match'] === false)) return undefined;
  return {
    markup: html`<article class="${statusOf(record)}"><h3>${mark(statusOf(record))} 
<span class="name">${step.name ?? record.command}</span>
<span class="dim">${record.id}${record.row !== undefined && ` · row ${record.row}`}</span></h3>
<div class="pictures">${pictures.map(evidenceMarkup)}</div>
<p class="dim">${stored ? 'Stored as the new baseline by this run.' : approval(record.file)}</p></article>
`,
    rest: { ...entry, evidence: evidence.filter((piece) => !isCompared(piece)) },
  };
}

function isCompared(piece: Evidence): boolean {
  return piece.kind === 'picture' && names.has(piece.name);
}

function approval(file: string): Markup {
  // In double quotes a name is one word for the shells of every platform.
  const word = /^[\w./@+-]+$/.test(file) ? file : `"${file}"`;
  return html`Where the current picture is right: <code>svc run ${word} --update-snapshots</code>`;
}
