import { successStatus } from '#grammar/openapi/example-value.ts';
import { answerFor, jsonMedia, type Operation } from '#grammar/openapi/operations.ts';
import { resolvedObject } from '#grammar/openapi/reference.ts';
import { isObject } from '#schemas/types/json.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import type { CaseStep, TestCase } from './test-case.ts';
import { actionParams, requestOf } from './request.ts';

/**
 * Tests that make a resource, read, change and remove it, and find it gone: for each POST whose answer names what was
 * made, by a field of its schema or by `Location`, and whose paths below take one more parameter.
 */
export function chainsOf(operations: readonly Operation[], document: JsonObject): readonly TestCase[] {
  return operations.flatMap((create) => {
    if (create.method !== 'post' || create.path.endsWith('}')) return [];
    const items = operations.filter(({ path }) => isItemOf(path, create.path));
    const read = items.find(({ method }) => method === 'get');
    if (!read) return [];
    const parameter = /\{([^{}]*)\}$/.exec(read.path)?.[1] ?? '';
    const found = identifierOf(create, parameter, document);
    if (found === undefined) return [];
    const made = step(create, document, 'is made', `result.status_code == ${successStatus(create)}`, {
      save_as: [found],
    });
    const on = (operation: Operation, about: string, expect: string): CaseStep =>
      step(operation, document, about, expect, {}, { [parameter]: '{{made}}' });
    const change = items.find(({ method }) => method === 'put' || method === 'patch');
    const remove = items.find(({ method }) => method === 'delete');
    const name = `${create.key}: makes what can be read${change ? ', changed' : ''}${remove ? ' and removed' : ''}`;
    return [
      {
        kind: 'chains' as const,
        name,
        steps: [
          made,
          on(read, 'is there', `result.status_code == ${successStatus(read)}`),
          ...(change ? [on(change, 'is changed', `result.status_code == ${successStatus(change)}`)] : []),
          ...(remove
            ? [
                on(remove, 'is removed', `result.status_code == ${successStatus(remove)}`),
                on(read, 'is gone', 'result.status_code == 404 || result.status_code == 410'),
              ]
            : []),
        ],
      },
    ];
  });
}

function isItemOf(path: string, collection: string): boolean {
  return (
    path.startsWith(`${collection.replace(/\/$/, '')}/{`) &&
    /^\/\{[^{}/]+\}$/.test(path.slice(collection.replace(/\/$/, '').length))
  );
}

/** Capture of the name that the answer gives to what was made; undefined: it gives none. */
function identifierOf(create: Operation, parameter: string, document: JsonObject): JsonObject | undefined {
  const answer = answerFor(create, successStatus(create));
  if (!answer) return undefined;
  const { properties } = resolvedObject(jsonMedia(answer.media)?.schema, document);
  const names = isObject(properties) ? Object.keys(properties) : [];
  const wanted = [parameter, 'id', `${create.path.split('/').at(-1)?.replace(/s$/, '') ?? ''}Id`, 'uuid', 'name'];
  const field = wanted.find((name) => names.includes(name));
  if (field !== undefined)
    return { name: 'made', path: `json.${/^[A-Za-z_]\w*$/.test(field) ? field : `["${field}"]`}` };
  const hasLocation = Object.keys(answer.headers).some((name) => name.toLowerCase() === 'location');
  return hasLocation ? { name: 'made', path: 'headers.location', match: '([^/?#]+)/?(?:[?#].*)?$' } : undefined;
}

function step(
  operation: Operation,
  document: JsonObject,
  about: string,
  expect: string,
  more: JsonObject,
  inPath: Readonly<Record<string, string>> = {},
): CaseStep {
  const params = actionParams(requestOf(operation, document));
  const url = Object.entries(inPath).reduce<string>(
    (address, [name, value]) => address.replace(/[^/]*$/, () => (operation.path.endsWith(`{${name}}`) ? value : '')),
    params['test_url'] as string,
  );
  const { json, ...plain } = params;
  const isRead = operation.method === 'get' || operation.method === 'head';
  return {
    params: { ...plain, test_url: url, ...(json === undefined || isRead ? {} : { json }) },
    options: { name: `${operation.key}: ${about}`, tags: ['chains'], expect, ...more },
  };
}
