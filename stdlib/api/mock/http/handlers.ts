import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

import type { MockAnswer, MockControls, MockHandler, MockRequest } from './port.ts';

/** Imports `<file>#<export>`; a relative file stands in `folder`. */
export async function loadHandler(reference: string, folder: string): Promise<MockHandler> {
  const [file = '', name = ''] = reference.split('#');
  if (file === '' || name === '') throw fail.mockHandlerReference({ handler: reference });
  const path = isAbsolute(file) ? file : resolve(folder, file);
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw fail.mockHandlerFile({ handler: reference, reason: cause instanceof Error ? cause.message : String(cause), cause });
  }
  const handler = module[name];
  if (typeof handler !== 'function') throw fail.mockHandlerExport({ handler: reference, name, present: Object.keys(module).sort().join(', ') || undefined });
  return handler as MockHandler;
}

const answerKeys = new Set(['body', 'status', 'headers']);

/** A body, or an object that has one and beside it at most `status` and `headers`. */
export async function handlerAnswer(handler: MockHandler, request: MockRequest, controls: MockControls): Promise<MockAnswer> {
  const value = ((await handler(request, controls)) ?? null) as Json;
  if (!isObject(value) || !Object.hasOwn(value, 'body') || !Object.keys(value).every((key) => answerKeys.has(key))) return { body: value };
  const { body = null, status, headers } = value;
  return { body, ...(typeof status === 'number' ? { status } : {}), ...(isObject(headers) ? { headers: headers as Readonly<Record<string, string>> } : {}) };
}
