import { AsyncLocalStorage } from 'node:async_hooks';

import type { Given, SessionOptions } from '#compiler/engine/unit-session.ts';
import { once as loadedOnce } from '#compiler/engine/once.ts';
import { readSchema } from '#compiler/engine/schemas.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { completed, legacyFields } from '#stdlib/api/run-records/make-record.ts';
import { validRecord, type RequestRecord } from '#stdlib/api/run-records/request-record.ts';
import { RunContext, type RunIdentity } from '#stdlib/api/run-records/run-context.ts';

import { once, Session } from '../session.ts';

export { RunContext };
export type { RequestRecord, RunIdentity };

const active = new AsyncLocalStorage<RunContext>();

/** The run context of this chain of calls; null outside of any. */
export function get_run_context(): RunContext | null {
  return active.getStore() ?? null;
}

/**
 * Yields what `scope` yields, with `context` as the run context of everything that it calls; the outer one is back
 * afterwards.
 */
export function use_run_context<Result>(context: RunContext, scope: () => Result): Result {
  return active.run(context, scope);
}

/** Makes a record of measured fields and the identity of a run, and adds it. Rejects with RequestRecordError. */
export async function capture(
  context: RunContext,
  fields: Readonly<Record<string, unknown>>,
  options: SessionOptions = {},
): Promise<RequestRecord> {
  const record = await validate_request_record(completed(context, fields), options);
  context.add(record);
  return structuredClone(record);
}

/** Adds a finished record; false: it is there already. Rejects with RequestRecordError. */
export async function append(context: RunContext, record: unknown, options: SessionOptions = {}): Promise<boolean> {
  return context.add(await validate_request_record(record, options));
}

/** Copies of the records of a run, in the order in which they were added. */
export function snapshot(context: RunContext): RequestRecord[] {
  return context.records();
}

/** The records of a run as a JSON array. */
export function to_json(context: RunContext): string {
  return JSON.stringify(context.records());
}

/**
 * Adds a recorded success, or the pair of a failed call and its error text, to a run. Rejects with RequestRecordError.
 */
export function from_legacy_record(
  record: JsonObject | readonly Json[],
  context: RunContext,
  { capture_payload = false }: { readonly capture_payload?: boolean } = {},
  options: SessionOptions = {},
): Promise<RequestRecord> {
  return Promise.resolve().then(() => capture(context, legacyFields(record as Json, capture_payload), options));
}

/**
 * A checked copy of a record in plain JSON. Rejects with RequestRecordError, whose message begins with the place of the
 * mistake.
 */
export async function validate_request_record(record: unknown, options: SessionOptions = {}): Promise<RequestRecord> {
  const { schema, session } = await checking();
  const check = ({ jsonSchema }: Given<'jsonSchema'>): Promise<RequestRecord> =>
    validRecord(record, schema, jsonSchema);
  const name = 'validate_request_record';
  if (Object.keys(options).length > 0) return await once(name, ['jsonSchema'], check, options);
  return await session.step(name, ['jsonSchema'], check);
}

/** The schema is read once for the whole process: that takes much longer than a record that is checked by it. */
const checking = loadedOnce(async () => ({ schema: await request_record_schema(), session: await Session.open() }));

/** A checked record as JSON text. */
export async function serialize_request_record(record: unknown, options: SessionOptions = {}): Promise<string> {
  return JSON.stringify(await validate_request_record(record, options));
}

/** The JSON Schema of a record (2020-12). */
export async function request_record_schema(): Promise<JsonObject> {
  return JSON.parse(await readSchema('request-record')) as JsonObject;
}
