import { markerMeant } from './markers.ts';

const FORM = /^match\s+(?:(each|header)\s+)?(\S+)\s+(==|!=|!?contains)\s+(\S.*)$/s;
const STATUS = /^status\s+(\d{3})$/;
const ASSERT = /^assert\s+(\S.*)$/s;

/** Whether a text is an assertion of Karate. */
export function isMatch(text: string): boolean {
  return FORM.test(text) || STATUS.test(text) || ASSERT.test(text);
}

/** The condition that `match response.id == 1` stands for; undefined for what has no counterpart. */
export function matchMeant(text: string, answer: string): string | undefined {
  const [, status] = STATUS.exec(text) ?? [];
  if (status !== undefined) return `${answer}.status_code == ${status}`;
  const [, condition] = ASSERT.exec(text) ?? [];
  if (condition !== undefined) return condition.replaceAll(/\b[\w.$]+/g, (word) => pathMeant(word, answer));
  const [, kind, path = '', operator = '', expected = ''] = FORM.exec(text) ?? [];
  if (kind === 'each' || /^[[{]/.test(expected)) return undefined;
  const value = kind === 'header' ? `${answer}.headers["${path}"]` : pathMeant(path, answer);
  if (operator.endsWith('contains')) return `${operator === 'contains' ? '' : '!'}contains(${value}, ${expected})`;
  return markerMeant(value, operator, expected) ?? `${value} ${operator} ${expected}`;
}

/** Here `response` is the answer's content, and what else belongs to it has names of its own. */
function pathMeant(path: string, answer: string): string {
  return path
    .replace(/^responseStatus$/, `${answer}.status_code`)
    .replace(/^responseTime$/, `${answer}.elapsed_ms`)
    .replace(/^(?:response|\$)(?=$|[.[])/, `${answer}.json`);
}
