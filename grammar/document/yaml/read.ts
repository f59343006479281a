import { EVENT_ID, YAMLException, parseEvents } from 'js-yaml';
import type { Event } from 'js-yaml';

import * as d from '#schemas/generated/diagnostics.ts';
import type { Span } from '#schemas/types/place.ts';
import { endOfLine } from '#grammar/source/lines.ts';

import { textFix } from '../findings.ts';
import type { Findings } from '../findings.ts';
import type { ReadLimits } from '../limits.ts';
import type { Reading } from '../reading.ts';
import type { Format } from '../text-document.ts';
import { composeYaml } from './compose.ts';
import { yamlPlaces } from './places.ts';
import type { YamlPlaces } from './places.ts';
import { yamlTextOffset } from './text-offset.ts';
import { yamlComments } from './trivia.ts';

/**
 * Reads YAML 1.2 (core schema, one document, no tags of its own). The events are dropped when the value is made, and
 * read again where a place is asked for: most files have no findings. A broken text comes back as `syntax-error`.
 */
export function readYaml(text: string, limits: ReadLimits, findings: Findings): Reading {
  const parsed = parse(text, limits);
  const mark = indentedMark(text);
  if (mark !== undefined) {
    findings.add(d.yamlIndentation({ at: findings.at(mark) }));
    return { kind: 'refused' };
  }
  const joint = text.search(/(?<=[\n\r])\ufeff/);
  if (joint >= 0) {
    const span = { start: joint, end: joint + 1 };
    const fixes = [textFix('remove it', 'safe', span, '')];
    findings.add(d.yamlControlCharacter({ at: findings.at(span), unit: 'FEFF', fixes }));
    return { kind: 'refused' };
  }
  if ('failed' in parsed) return tooDeepOrBroken(text, parsed.failed, limits, findings);
  if (isEmpty(parsed.events)) {
    findings.add(d.emptyFile({ at: findings.at({ start: 0, end: 0 }) }));
    return { kind: 'refused' };
  }
  const composed = composeYaml(text, parsed.events, limits, findings);
  if (composed === undefined) return { kind: 'refused' };
  return { kind: 'read', value: composed.value, hasAliases: composed.hasAliases, format: yamlFormat(text, limits) };
}

function parse(
  text: string,
  limits: ReadLimits,
): { readonly events: readonly Event[] } | { readonly failed: YAMLException } {
  try {
    // The parser counts scalars as a level too; the composer holds collections to the exact limit.
    return { events: parseEvents(text, { maxDepth: limits.depth + 2 }) };
  } catch (error) {
    if (error instanceof YAMLException) return { failed: error };
    throw error;
  }
}

function tooDeepOrBroken(text: string, error: YAMLException, limits: ReadLimits, findings: Findings): Reading {
  const offset = Math.min(error.mark?.position ?? 0, text.length);
  if (!error.reason.startsWith('nesting exceeded')) return { kind: 'syntax-error', offset, reason: error.reason };
  findings.add(
    d.tooDeep({ at: findings.at({ start: offset, end: Math.min(offset + 1, text.length) }), limit: limits.depth }),
  );
  return { kind: 'refused' };
}

/**
 * Mark that the parser takes at the very start and YAML 1.2 does not: a `---`, `...` or directive behind
 * blanks, as if it stood in column 0, and a value behind a `...`.
 */
function indentedMark(text: string): Span | undefined {
  const lead = endOfBlanks(text, 0);
  const mark = lead === 0 ? undefined : stickyMatch(/(?:---|\.\.\.)(?=\s|$)|%/y, text, lead);
  if (mark !== undefined) return { start: lead, end: lead + mark.length };
  const line = firstLineWithContent(text);
  if (!text.startsWith('...', line)) return undefined;
  const value = endOfBlanks(text, line + 3);
  return value === line + 3 || !/[^\s#]/.test(text.charAt(value)) ? undefined : { start: value, end: value + 1 };
}

function stickyMatch(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function endOfBlanks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9) at += 1;
  return at;
}

/**
 * The start of the first line that holds more than blanks and a comment. No pattern: there may be millions of such
 * lines.
 */
function firstLineWithContent(text: string): number {
  for (let line = 0; ;) {
    const start = endOfBlanks(text, line);
    const end = text.charCodeAt(start) === 35 ? endOfLine(text, start) : start;
    const unit = text.charCodeAt(end);
    if (unit === 10) line = end + 1;
    else if (unit === 13) line = text.charCodeAt(end + 1) === 10 ? end + 2 : end + 1;
    else return line;
  }
}

/** Whether there is no document, or one in which nothing stands. */
function isEmpty(events: readonly Event[]): boolean {
  const content = events[1];
  if (content === undefined) return true;
  return events.length === 3 && content.type === EVENT_ID.SCALAR && content.valueStart < 0 && content.tagStart < 0;
}

function yamlFormat(text: string, limits: ReadLimits): Format {
  let found: YamlPlaces | undefined;
  const eventsAgain = (): readonly Event[] => parseEvents(text, { maxDepth: limits.depth + 2 });
  const placesOnce = (): YamlPlaces => (found ??= yamlPlaces(text, eventsAgain()));
  return {
    name: 'yaml',
    places: () => placesOnce().places,
    comments: () => yamlComments(text, eventsAgain()),
    textOffset(_, id, offset) {
      const event = placesOnce().scalars[id];
      return event === undefined ? undefined : yamlTextOffset(text, event, offset);
    },
  };
}
