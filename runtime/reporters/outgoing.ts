import { printable } from '#grammar/source/printable.ts';
import type { TextForm } from '#schemas/types/text-form.ts';

/** Output that a text goes to. */
export interface Way {
  readonly colour: boolean;
  /** Its last line may be redrawn. */
  readonly live: boolean;
}

/** Control characters but the line feed, marks that turn the direction of text, and what separates lines for some. */
const controls = String.raw`\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f`;
const control = new RegExp(`[${controls}]`);
const everyControl = new RegExp(control, 'g');

/**
 * Commands that build servers take from any place in a line (`##[error]`, `##vso[`), and from its beginning
 * (`::error::`).
 */
const anywhere = /##(?=\[|vso\[|teamcity\[)/g;
const atLineStart = /^([^\S\n]*):(?=:)/gm;

/** The colours and the redrawn line that are ours. */
const colour = String.raw`\u001b\[(?:1|2|22|3[1-69]|39)m`;
const redraw = String.raw`\r\u001b\[2K`;
const colours = new RegExp(`(${colour})|[${controls}]+`, 'g');
const redraws = new RegExp(`(${redraw})|[${controls}]+`, 'g');
const both = new RegExp(`(${colour}|${redraw})|[${controls}]+`, 'g');

/**
 * A text as it leaves the process or is written into a report: no control character but line feeds and our own colours,
 * no mark that turns the direction of text, no command for a build server but our own. Text without them, which is
 * nearly all, stays as it is.
 */
export function outgoing(text: string, form: TextForm, way: Way = { colour: false, live: false }): string {
  switch (form) {
    case 'file':
      return text;
    case 'json':
      return inJson(text);
    case 'lines':
      return shown(text, { colour: false, live: false });
    case 'people':
      return text.includes('::') || text.includes('##')
        ? shown(text, way).replace(anywhere, '##\\').replace(atLineStart, '$1\\:')
        : shown(text, way);
    default:
      return form satisfies never;
  }
}

function shown(text: string, { colour: colourful, live }: Way): string {
  if (!control.test(text)) return text;
  const kept = colourful ? (live ? both : colours) : live ? redraws : undefined;
  if (!kept) return visible(text);
  return text.replace(kept, (found: string, own: string | undefined) => own ?? visible(found));
}

function visible(text: string): string {
  return printable(text.replaceAll('\t', '    '));
}

/** A value as JSON text that may be printed as it is. */
export function jsonText(value: unknown, indent?: number): string {
  return inJson(JSON.stringify(value, null, indent));
}

/** JSON with escapes for what it may hold as it is: the same values. */
function inJson(text: string): string {
  const escaped = control.test(text) ? text.replace(everyControl, escapeOf) : text;
  return escaped.includes('##') ? escaped.replace(anywhere, '#\\u0023') : escaped;
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
