import type { Json } from '#schemas/types/json.ts';

import { schemaOfPredicate, textCondition } from './answer-types.ts';
import { literal, resultPath, simplePath, valueOf } from './condition.ts';
import type { AskedType } from './postman-script.ts';

const signs: Readonly<Record<string, string>> = { eq: '==', neq: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** Values that JavaScript takes for false; NaN is in no answer. */
const FALSY: readonly Json[] = [null, false, 0, ''];

/** The schema that an assertion asks of the value at a path of the answer; undefined: it asks for none. */
export function askedOf(subject: string, check: string): AskedType | undefined {
  const operator = check.trim();
  const path = pathOf(subject)?.replace(/^result\./, '');
  if (path === undefined || path.startsWith('len(')) return undefined;
  // A value that is not there is false too.
  if (operator === 'isFalsy') return { path: `${path}:-`, schema: { enum: [...FALSY] } };
  const schema = operator === 'isTruthy' ? { not: { enum: [...FALSY] } } : schemaOfPredicate(operator);
  return schema && { path, schema };
}

/** An assertion such as `res.body.n: gt 3` as a condition; undefined: there is none that says the same. */
export function conditionOf(subject: string, check: string): string | undefined {
  const place = pathOf(subject);
  if (place === undefined) return undefined;
  const [, operator = '', rest = ''] = /^(\w+)\s*(.*)$/s.exec(check) ?? [];
  const path = place === 'result.json' && isAboutText(operator, rest) ? 'result.text' : place;
  if (rest.trim() === 'undefined' && (operator === 'eq' || operator === 'neq'))
    return `${operator === 'eq' ? '!' : ''}exists(${path})`;
  const known = signs[operator];
  // Without an operator it is equality.
  const value = literal(
    valueOf(known !== undefined || /^(?:contains|notContains|length)$/.test(operator) ? rest : check),
  );
  if (/^is[A-Z]/.test(operator)) return typed(path, operator);
  if (byValues[operator]) return /\{\{/.test(rest) ? undefined : byValues[operator](path, rest);
  if (value === undefined || /\{\{/.test(rest)) return undefined;
  if (known !== undefined) return `${path} ${known} ${value}`;
  if (operator === 'contains') return `contains(${path}, ${value})`;
  if (operator === 'notContains') return `!contains(${path}, ${value})`;
  if (operator === 'length') return `len(${path}) == ${value}`;
  return `${path} == ${value}`;
}

/** Whether a whole body is compared with a text, and so is one that is no JSON. */
function isAboutText(operator: string, rest: string): boolean {
  if (/^(?:(?:not)?[cC]ontains|(?:not)?[mM]atches|startsWith|endsWith)$/.test(operator)) return true;
  return /^n?eq$/.test(operator) && rest.trim() !== 'undefined' && typeof valueOf(rest) === 'string';
}

/** Operators whose text is more than one value. */
const byValues: Readonly<Record<string, ((path: string, rest: string) => string | undefined) | undefined>> = {
  in: (path, rest) => anyOf(path, '==', rest, ' || '),
  notIn: (path, rest) => anyOf(path, '!=', rest, ' && '),
  between: (path, rest) => {
    const [least, most, ...others] = rest.split(',').map((each) => literal(valueOf(each)));
    return least === undefined || most === undefined || others.length > 0
      ? undefined
      : `${path} >= ${least} && ${path} <= ${most}`;
  },
  matches: (path, rest) => matching(path, rest),
  notMatches: (path, rest) => {
    const condition = matching(path, rest);
    return condition === undefined ? undefined : `!${condition}`;
  },
  startsWith: (path, rest) => textCondition(path, String(valueOf(rest)), 'start'),
  endsWith: (path, rest) => textCondition(path, String(valueOf(rest)), 'end'),
};

function anyOf(path: string, sign: string, rest: string, between: string): string | undefined {
  const list = /^\[(.*)\]$/s.exec(rest.trim())?.[1] ?? rest;
  const values = list.split(',').map((each) => literal(valueOf(each)));
  return values.includes(undefined) ? undefined : values.map((each) => `${path} ${sign} ${each}`).join(between);
}

function matching(path: string, rest: string): string | undefined {
  const source = /^\/(.*)\/$/s.exec(rest)?.[1] ?? rest;
  return source === '' ? undefined : `matches(${path}, /${source.replaceAll(/(?<!\\)\//g, '\\/')}/)`;
}

function typed(path: string, operator: string): string | undefined {
  const forms: Readonly<Record<string, string>> = {
    isDefined: `exists(${path})`,
    isUndefined: `!exists(${path})`,
    isNull: `${path} == null`,
    isEmpty: `len(${path}) == 0`,
    isNotEmpty: `len(${path}) > 0`,
    ...(path.startsWith('len(') ? { isTruthy: `${path} > 0`, isFalsy: `${path} == 0` } : {}),
    isJson: 'result.json != null',
  };
  return forms[operator];
}

/** `res.status`, `res.body.a[0]`, `res.headers.x`, `res.responseTime` as paths in the result. */
export function pathOf(expression: string): string | undefined {
  const text = expression.trim();
  if (text === 'res.status') return 'result.status_code';
  if (text === 'res.responseTime') return 'result.elapsed_ms';
  const header = /^res\.headers(?:\.([\w-]+)|\[(["'])([\w-]+)\2\])$/.exec(text);
  if (header) return resultPath('result.headers', [(header[1] ?? header[3] ?? '').toLowerCase()]);
  const body = /^res(?:\.body(.*)|\((["'])(.*)\2\))$/s.exec(text);
  const pieces = body ? simplePath(body[1] ?? body[3] ?? '') : undefined;
  if (pieces?.at(-1) === 'length') return `len(${resultPath('result.json', pieces.slice(0, -1))})`;
  return pieces && resultPath('result.json', pieces);
}
