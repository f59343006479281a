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
  return html`Where the current picture is right: <code>svc run ${shellWord(file)} --update-snapshots</code> <button
type="button" class="copy" aria-live="polite" hidden>Copy</button> It stores all that differ in this file.`;
}

/** A name as one word for shells: in double quotes for all of them, in single ones where those would read it. */
function shellWord(name: string): string {
  if (/^[\w./@+-]+$/.test(name)) return name;
  return /["$`\\!%]/.test(name) ? `'${name.replaceAll("'", String.raw`'\''`)}'` : `"${name}"`;
}
