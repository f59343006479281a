import { meantBy } from '#grammar/condition/other-calls.ts';

import { membersOfJsonPath } from './expression.ts';
import { negated } from './negation.ts';
import { typeTest } from './tests-of-types.ts';

const TEXT = String.raw`"[^"\\]*"`;
const QUERY = String.raw`status|body|duration|url|bytes|(?:jsonpath|header|variable|cookie|xpath|regex) ${TEXT}`;
const PREDICATE = '==|!=|[<>]=?|contains|endsWith|exists|includes|is[A-Z][A-Za-z0-9]+|matches|startsWith';
const FORM = new RegExp(String.raw`^(${QUERY})(\s+count)?(\s+not)?\s+(${PREDICATE})(?:\s+(\S.*))?$`);

/** Whether a text is a line of the asserts of Hurl. */
export function isQuery(text: string): boolean {
  return FORM.test(text);
}

/** The condition that `jsonpath "$.id" == 1` stands for; undefined for what has no counterpart. */
export function queryMeant(text: string, answer: string): string | undefined {
  const [, query = '', count, not, predicate = '', argument = ''] = FORM.exec(text) ?? [];
  const queried = valueOf(query, answer);
  const value = count === undefined ? queried : queried && `len(${queried})`;
  const test = value && testOf(value, predicate, argument.trim());
  return test && (not === undefined ? test : negated(test));
}

function valueOf(query: string, answer: string): string | undefined {
  const [name, ...rest] = query.split(' ');
  const written = rest.join(' ');
  switch (name) {
    case 'status':
      return `${answer}.status_code`;
    case 'body':
      return `${answer}.text`;
    case 'duration':
      return `${answer}.elapsed_ms`;
    case 'header':
      return `${answer}.headers[${written}]`;
    case 'variable':
      return /^"[A-Za-z_]\w*"$/.test(written) ? written.slice(1, -1) : undefined;
    case 'jsonpath': {
      const members = membersOfJsonPath(written.slice(1, -1));
      return members === undefined ? undefined : `${answer}.json${members}`;
    }
    default:
      return undefined;
  }
}

function testOf(value: string, predicate: string, argument: string): string | undefined {
  const [, type] = /^is([A-Z]\w+)$/.exec(predicate) ?? [];
  if (type === 'Empty') return `len(${value}) == 0`;
  if (type !== undefined) return typeTest(type, value);
  if (predicate === 'exists') return `exists(${value})`;
  if (argument === '') return undefined;
  if (/^[=!<>]/.test(predicate)) return `${value} ${predicate} ${argument}`;
  return meantBy(predicate)?.(value, argument);
}
