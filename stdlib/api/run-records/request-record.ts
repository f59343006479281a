import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { detached } from './detached.ts';

/** One executed request, version 1 (`request-record.schema.json`). */
export interface RequestRecord extends JsonObject {
  readonly schema_version: 1;
  readonly record_id: string;
  readonly run_id: string;
  readonly source: 'api' | 'load' | 'browser';
  readonly phase: 'functional' | 'load' | 'synthetic';
  readonly engine: string;
  readonly worker_id: string | null;
  readonly protocol: string;
  readonly request_method: string;
  readonly request_url: string;
  readonly name: string;
  readonly status_code: number | null;
  /** Seconds since 1970, UTC. */
  readonly start_time: number | null;
  readonly end_time: number | null;
  /** Milliseconds. */
  readonly response_time_ms: number | null;
  /** Bytes. */
  readonly response_length: number | null;
  readonly outcome: 'passed' | 'failed';
  readonly error: { readonly kind: string; readonly message: string } | null;
  readonly assertions: readonly JsonObject[];
  readonly extensions: JsonObject;
}

/**
 * A copy of a record that shares nothing with it; fails with `RequestRecordError`, whose message begins with the place.
 */
export async function validRecord(
  value: unknown,
  schema: JsonObject,
  jsonSchema: Ports['jsonSchema'],
): Promise<RequestRecord> {
  const copy = detached(value);
  const [first] = await jsonSchema.check(copy, schema);
  if (first) throw fail.requestRecord({ place: placeOf(first.at), reason: first.message });
  checkFinish(copy as JsonObject);
  return copy as RequestRecord;
}

/** `/assertions/0/message` as `assertions[0].message`. */
function placeOf(pointer: string): string {
  const parts = pointer.split('/').slice(1);
  const path = parts.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`));
  return path.length === 0 ? 'the record' : path.join('');
}

/** A record cannot end before it began: its end is measured by a clock that is never set back. */
function checkFinish({ start_time: start, end_time: end }: JsonObject): void {
  const ended: Json = end ?? null;
  if (typeof start === 'number' && typeof ended === 'number' && ended < start)
    throw fail.requestRecord({ place: 'end_time', reason: 'stands before start_time' });
}
