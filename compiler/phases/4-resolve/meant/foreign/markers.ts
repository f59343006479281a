import { negated } from './negation.ts';
import { typeTest } from './tests-of-types.ts';

const MARKER = /^(["'])#(.*)\1$/s;
const WORD = /^#?(?:array|boolean|ignore|notnull|notpresent|null|number|object|present|string|uuid)(?:\?.*)?$/s;
const OTHER = /^(?:#?regex .+|\[[^\]]*\].*|\?.+|\(.+\))$/s;

/** Whether a text is a marker of Karate: `#notnull`, `#regex a+`, `#[3]`. */
export function isMarker(text: string): boolean {
  return text.startsWith('#') && (WORD.test(text.slice(1)) || OTHER.test(text.slice(1)));
}

/** The condition for a comparison of a value with a marker in quotes; undefined for what has no counterpart. */
export function markerMeant(value: string, operator: string, quoted: string): string | undefined {
  const [, , marker] = MARKER.exec(quoted) ?? [];
  if (marker === undefined || !isMarker(`#${marker}`)) return undefined;
  const condition = conditionOf(value, marker);
  return condition === undefined || operator === '==' ? condition : negated(condition);
}

function conditionOf(value: string, marker: string): string | undefined {
  const [name = '', ...tests] = marker.split('?');
  const test = tests.join('?').trim().replaceAll(/\b_\b/g, value);
  const conditions = [...(name.trim() === '' ? [] : [named(value, name.trim())]), ...(test === '' ? [] : [test])];
  return conditions.includes(undefined) ? undefined : conditions.join(' && ');
}

function named(value: string, name: string): string | undefined {
  if (name === 'notnull') return `${value} != null`;
  if (name === 'present') return `exists(${value})`;
  if (name === 'notpresent') return `!exists(${value})`;
  const [, pattern] = /^regex (.+)$/s.exec(name) ?? [];
  if (pattern !== undefined) return `matches(${value}, /^(${pattern.replaceAll('/', String.raw`\/`)})$/)`;
  const [, count] = /^\[(\d*)\]$/.exec(name) ?? [];
  if (count !== undefined) return count === '' ? typeTest('array', value) : `len(${value}) == ${count}`;
  const [, variable] = /^\(([A-Za-z_][\w.]*)\)$/.exec(name) ?? [];
  return variable === undefined ? typeTest(name, value) : `${value} == ${variable}`;
}
