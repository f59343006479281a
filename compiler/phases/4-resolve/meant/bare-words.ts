import type { Range } from '#grammar/language/problem.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import type { Route } from '#schemas/types/place.ts';
import type { Ref } from '#schemas/types/reference.ts';

import { truthOfWord } from '../../3-parse/meant.ts';
import { valueAt } from '../../3-parse/routes.ts';

import { isBarePath } from '../conditions.ts';
import type { Knowledge } from '../knowledge.ts';
import { OF_ANSWERS } from './member-meant.ts';
import type { Call } from '../resolved.ts';
import { ownResultType } from '../result-fields.ts';
import { noMember } from '../value-type.ts';

/** Text that was likely meant in place of a name. */
export interface Rewriting {
  readonly text: string;
  readonly safety: Fix['safety'];
}

/** Words for nothing in other languages. */
const NOTHING: ReadonlySet<string> = new Set(['none', 'nil', 'undefined', 'null']);
const TRUTHS: ReadonlySet<string> = new Set(['true', 'false']);

/**
 * Meaning of a bare name of a condition that is no variable: a field of the step's own result, or a word that other
 * languages write otherwise.
 */
export function bareWordMeant(
  ref: Ref,
  at: Label,
  resultOf: Call | undefined,
  knowledge: Knowledge,
): Rewriting | undefined {
  const written = bareText(at, knowledge);
  if (written === undefined) return undefined;
  const word = ref.name.toLowerCase();
  if (ref.path === undefined && TRUTHS.has(word)) return { text: word, safety: 'safe' };
  if (ref.path === undefined && NOTHING.has(word)) return { text: 'null', safety: 'safe' };
  const truth = valueAt(knowledge.document.value, at.route) === written ? truthOfWord(written) : undefined;
  if (truth !== undefined) return { text: String(truth), safety: 'safe' };
  return fieldMeant(ref, written, resultOf, knowledge);
}

/** A variable that `save_as` of the step itself makes once its `expect` is judged: `result` is what it will hold. */
export function captureMeant({ name }: Ref, at: Label, { step }: Call, knowledge: Knowledge): Rewriting | undefined {
  const written = bareText(at, knowledge);
  const capture = step.options?.save_as?.find((each) => each?.name === name);
  if (written === undefined || capture === undefined || capture.match !== undefined) return undefined;
  const { path } = capture;
  const field = path === undefined ? '' : path.startsWith('[') ? path : `.${path}`;
  return { text: `result${field}${written.slice(name.length)}`, safety: 'safe' };
}

/** `status_code`, or `status`, where `result.status_code` is there. */
function fieldMeant(
  { name, path = [] }: Ref,
  written: string,
  resultOf: Call | undefined,
  knowledge: Knowledge,
): Rewriting | undefined {
  if (resultOf === undefined) return undefined;
  const type = ownResultType(resultOf, knowledge);
  const known = type.flatMap((schema) => Object.keys((schema['properties'] ?? {}) as object));
  const field = known.includes(name) ? name : Object.hasOwn(OF_ANSWERS, name) ? (OF_ANSWERS[name] ?? '') : undefined;
  if (field === undefined || !(known.includes(field) || (field === '' && known.includes('status_code'))))
    return undefined;
  if (field === '') return memberOfAnswer(path, written.slice(name.length), type);
  if (noMember(type, [field, ...path]) !== undefined) return undefined;
  const isOwn = field === name;
  return {
    text: `result.${field}${written.slice(name.length)}`,
    safety: isOwn ? 'safe' : 'unsafe',
  };
}

/** `response.status`, where `result` is the answer; `behind` is what is written behind its name. */
function memberOfAnswer(path: Route, behind: string, type: ReturnType<typeof ownResultType>): Rewriting | undefined {
  const [first, ...rest] = path;
  if (noMember(type, path) === undefined) return { text: `result${behind}`, safety: 'unsafe' };
  const member = typeof first === 'string' && Object.hasOwn(OF_ANSWERS, first) ? OF_ANSWERS[first] : undefined;
  if (!member || noMember(type, [member, ...rest]) !== undefined) return undefined;
  return { text: `result.${member}${behind.slice(String(first).length + 1)}`, safety: 'unsafe' };
}

/** `n == prod`: a word that no variable is called like may be a text. */
export function textMeant({ path }: Ref, at: Label, knowledge: Knowledge): Rewriting | undefined {
  const written = bareText(at, knowledge);
  const condition = valueAt(knowledge.document.value, at.route);
  if (written === undefined || path !== undefined || typeof condition !== 'string' || !isRange(at.part))
    return undefined;
  return /[=!]=\s*$/.test(condition.slice(0, at.part[0])) ? { text: `'${written}'`, safety: 'unsafe' } : undefined;
}

/** `n.length`: values have no such member, and there is a function for it. */
export function lengthMeant(member: string, at: Label, knowledge: Knowledge): Rewriting | undefined {
  const written = bareText(at, knowledge);
  if (written?.endsWith(`.${member}`) !== true || !LENGTHS.has(member)) return undefined;
  return { text: `len(${written.slice(0, -member.length - 1)})`, safety: 'safe' };
}

const LENGTHS: ReadonlySet<string> = new Set(['length', 'size', 'count']);

/** The text of a path without braces in a condition; undefined for other references. */
function bareText({ route, part }: Label, { document }: Knowledge): string | undefined {
  const text = valueAt(document.value, route);
  if (!isRange(part) || typeof text !== 'string' || !isBarePath(text, part)) return undefined;
  return text.slice(part[0], part[1]);
}

function isRange(part: Label['part']): part is Range {
  return Array.isArray(part);
}

/** Fix that writes something else in place of a reference. */
export function rewritten({ route, part }: Label, { text, safety }: Rewriting): Fix {
  const [from, to] = isRange(part) ? part : [0, 0];
  return { title: `write ${text}`, safety, operations: [{ kind: 'replace-text', route, from, to, text }] };
}
