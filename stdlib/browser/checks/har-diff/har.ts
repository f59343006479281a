import * as fail from '#schemas/generated/failures.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

/** One exchange of a network archive; status 0: it has none. */
export interface HarRequest {
  readonly method: string;
  readonly url: string;
  readonly status: number;
}

/**
 * The exchanges of a network archive (HAR 1.2), in order; entries without method and address are passed over. `name`
 * says which archive, in failures.
 */
export function requestsOf(archive: unknown, name: string): readonly HarRequest[] {
  const value = typeof archive === 'string' ? parsed(archive, name) : (archive as Json);
  const log = isObject(value) ? value['log'] : undefined;
  if (!isObject(log)) throw fail.harUnreadable({ name, reason: 'it holds no object "log"' });
  const entries = log['entries'] ?? [];
  if (!Array.isArray(entries)) throw fail.harUnreadable({ name, reason: '"log.entries" is no list' });
  return entries.flatMap(requestOf);
}

function parsed(text: string, name: string): Json {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
  } catch (error) {
    throw fail.harUnreadable({ name, reason: error instanceof Error ? error.message : String(error) });
  }
}

function requestOf(entry: Json): readonly HarRequest[] {
  const { request, response } = isObject(entry) ? entry : {};
  if (!isObject(request)) return [];
  const { method, url } = request;
  if (typeof method !== 'string' || typeof url !== 'string' || method === '' || url === '') return [];
  const status = isObject(response) ? response['status'] : undefined;
  return [{ method: method.toUpperCase(), url, status: Number.isInteger(status) ? Number(status) : 0 }];
}
