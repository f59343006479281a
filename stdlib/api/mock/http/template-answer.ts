import { inText } from '#runtime/kernel/values/convert.ts';
import { follow, Missing } from '#runtime/kernel/values/path.ts';
import type { Json } from '#schemas/types/json.ts';

import { lookUp } from '../../look-up.ts';
import type { Names } from '../../look-up.ts';
import { PathError, readPath } from '../../read-path.ts';
import { fillTemplate } from '../../template.ts';
import type { Filling } from '../../template.ts';
import { isHtml } from './answer.ts';
import type { MockAnswer, MockRequest } from './port.ts';

/** Fills a template for one request. Values of the request live for this request only, and are escaped in pages. */
export function templateAnswer(template: MockAnswer, request: MockRequest, names: Names): MockAnswer {
  const escape = isHtml(template.headers)
    ? (name: string, text: string): string => (name.startsWith('request.') ? escapeHtml(text) : text)
    : undefined;
  const filling = { ...fillingOf(request, names), ...(escape ? { escape } : {}) };
  const body = fillTemplate(template.body ?? '', filling);
  return {
    ...template,
    body,
    ...(template.headers ? { headers: filledHeaders(template.headers, request, names) } : {}),
  };
}

/** A value with a line break becomes an error of the answer: it would begin another header. */
function filledHeaders(
  headers: Readonly<Record<string, string>>,
  request: MockRequest,
  names: Names,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, inText(fillFor(value, request, names))]),
  );
}

/** A value whose placeholders are filled for one request. */
export function fillFor(value: Json, request: MockRequest, names: Names): Json {
  return fillTemplate(value, fillingOf(request, names));
}

function fillingOf(request: MockRequest, names: Names): Filling {
  return {
    value: (name) => (name.startsWith('request.') ? requestValue(name, request) : lookUp(name, names)),
  };
}

/**
 * `request.method|path|query|form|headers|json|data`; `request.path` alone is the path, with a name a parameter of the
 * rule.
 */
function requestValue(name: string, request: MockRequest): Json | undefined {
  const route = readPath(name);
  if (route instanceof PathError) return undefined;
  const [, part, ...rest] = route;
  if (part === 'path') return rest.length === 0 ? request.path : inside(request.params, rest);
  if (
    part === 'method' ||
    part === 'query' ||
    part === 'form' ||
    part === 'headers' ||
    part === 'json' ||
    part === 'data'
  )
    return inside({ [part]: request[part] }, [part, ...rest]);
  return undefined;
}

function inside(value: unknown, path: readonly (string | number)[]): Json | undefined {
  const found = follow(value, path, 'request');
  return found instanceof Missing ? undefined : (found as Json);
}

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => signs[sign] ?? sign);
}
