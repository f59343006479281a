import { once } from '../session.ts';
import { ai_backend } from './ai.ts';
import { get_run_context } from './records.ts';
import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import { exampleValue, exampleBody, fillPath, successStatus } from '#grammar/openapi/example-value.ts';
import { serverBasePath } from '#grammar/openapi/base-path.ts';
import { jsonMedia, operationsOf } from '#grammar/openapi/operations.ts';
import type { Operation } from '#grammar/openapi/operations.ts';
import { generalizePath, matchPathTemplate, stripBasePath } from '#grammar/openapi/path-template.ts';
import { schemaFindings } from '#grammar/openapi/schema-findings.ts';
import { addAll } from '#grammar/source/add-all.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';
import { parseJson } from '#stdlib/http/parse-json.ts';
import { readSavedReport } from '#stdlib/api/saved-records.ts';
import type { RecordedRequest } from '#stdlib/api/saved-records.ts';
import { exampleActions } from '#grammar/openapi/example-actions.ts';
import { checkRecords } from '#stdlib/api/interfaces/spec/check-records.ts';
import type { SpecReport } from '#stdlib/api/interfaces/spec/check-records.ts';
import { recoverOpenApi } from '#stdlib/api/interfaces/spec/recover.ts';
import type { RecoveredDocument } from '#stdlib/api/interfaces/spec/recover.ts';
import { actionsOfReply, TESTS_TASK } from '#stdlib/api/tools/ai/reply-actions.ts';

export type { RecordedRequest, RecoveredDocument, SpecReport };

/** A path whose segments that look like identifiers are `{id}`, `{id2}` and so on. */
export function generalize_path(path: string): string {
  return generalizePath(path);
}

/** The template that fits a path, of several the one with most literal text; null: none does. */
export function match_path_template(path: string, templates: readonly string[]): string | null {
  return matchPathTemplate(path, templates) ?? null;
}

/** The path of the first server of a document, without a slash at its end. */
export function server_base_path(spec: JsonObject): string {
  return serverBasePath(spec);
}

/** A path without a prefix that ends at a border of segments. */
export function strip_base_path(path: string, base_path: string): string {
  return stripBasePath(path, base_path);
}

/** A fixed value for a schema; `spec` holds what it refers to. */
export function example_value(schema: Json, spec: JsonObject): Json {
  return exampleValue(schema, spec);
}

/** A path template with values in it, percent-encoded; one without a value becomes 1. */
export function fill_path(template: string, values: Readonly<Record<string, Json>>): string {
  return fillPath(template, values);
}

/** The lowest declared status of success of an operation, else 200. */
export function success_status(operation: JsonObject): number {
  const { responses } = operation;
  return successStatus({
    responses: new Map(
      isObject(responses) ? Object.keys(responses).map((status) => [status, { media: [], headers: {} }]) : [],
    ),
  });
}

/** The example body of an operation for JSON; null where none is declared. */
export function request_body_example(operation: JsonObject, spec: JsonObject): Json {
  const [found] = operationsOf({ ...spec, paths: { '/': { post: operation } } });
  const media = found?.body && jsonMedia(found.body.media);
  return media ? exampleBody(media, spec) : null;
}

/** `VERB /template` of every operation, in the order of the document. */
export function documented_operations(spec: JsonObject): string[] {
  return operationsOf(spec).map(({ key }: Operation) => key);
}

/** Reasons why a value does not fit a schema; empty: it fits. `spec` holds what the schema refers to. */
export function schema_errors(
  value: Json,
  schema: Json,
  spec: JsonObject,
  { path = '$' }: { readonly path?: string } = {},
): string[] {
  return [...schemaFindings(value, schema, { document: spec, direction: 'response' }, path)];
}

/** Media type and value of a recorded body, which may be an object too; null: it is empty, or no text. */
export function decode_body(raw: Json | Uint8Array): ['application/json' | 'text/plain', Json] | null {
  if (!(raw instanceof Uint8Array) && typeof raw !== 'string')
    return raw === null || raw === undefined ? null : ['application/json', raw];
  const text = typeof raw === 'string' ? raw : decodeUtf8(raw);
  if (text === undefined || text === '') return null;
  const parsed = parseJson(text);
  return 'json' in parsed ? ['application/json', parsed.json] : ['text/plain', text];
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The requests of a saved report. Rejects with APIJsonReportException where it cannot be read. */
export function load_report_records(path: string, options: SessionOptions = {}): Promise<RecordedRequest[]> {
  return once('load_report_records', ['files'], (given) => readSavedReport(path, given), options);
}

/** The OpenAPI document that the records of the active run context that passed and saved reports describe. */
export async function build_openapi(
  {
    report_paths = null,
    title = 'svc Inferred',
    version = '0.1.0',
  }: {
    readonly report_paths?: readonly string[] | null;
    readonly title?: string;
    readonly version?: string;
  } = {},
  options: SessionOptions = {},
): Promise<RecoveredDocument> {
  return recoverOpenApi(await collect_records({ report_paths }, options), { title, version });
}

/** Checks records against a document; the report holds every finding, none is thrown. */
export function check_records_against_spec(
  records: readonly RecordedRequest[],
  spec: JsonObject,
  { min_coverage = 0 }: { readonly min_coverage?: number } = {},
): SpecReport {
  return checkRecords(records, spec, min_coverage);
}

/**
 * Test actions for the operations that a report lists as unused: those of the active AI backend where it writes some,
 * else one for each operation from the examples of the document.
 */
export async function missing_test_actions(
  spec: JsonObject,
  report: Pick<SpecReport, 'uncovered'>,
  options: SessionOptions = {},
): Promise<[string, JsonObject][]> {
  if (report.uncovered.length === 0) return [];
  const written = await writtenActions(uncovered_spec(spec, report.uncovered), options);
  return written ?? exampleActions(spec, report.uncovered);
}

/** Actions that the active AI backend writes; undefined: none is chosen, or its answer is none. */
async function writtenActions(
  document: JsonObject,
  options: SessionOptions,
): Promise<[string, JsonObject][] | undefined> {
  const backend = ai_backend();
  if (backend.name === 'noop') return undefined;
  const reply = await backend.complete(TESTS_TASK, document);
  if (reply === '') return undefined;
  return await once('missing_test_actions', ['executor'], (given) => actionsOfReply(reply, given), options);
}

/** A test action for each operation of a document; a `base_url` that is not empty stands in place of its server. */
export function convert_openapi(
  spec: JsonObject,
  { base_url = '' }: { readonly base_url?: string } = {},
): [string, JsonObject][] {
  const document = base_url === '' ? spec : { ...spec, host: undefined as never, servers: [{ url: base_url }] };
  return exampleActions(document);
}

/** The document that records describe, under the templates of a committed one. */
export function infer_spec_from_tests(records: readonly RecordedRequest[], spec: JsonObject): RecoveredDocument {
  const { info } = spec;
  const recovered = recoverOpenApi(records, {
    title: 'svc Inferred',
    version: '0.1.0',
    templates: [...new Set(operationsOf(spec).map(({ path }) => path))],
    basePath: serverBasePath(spec),
    servers: spec['servers'],
  });
  return isObject(info) ? { ...recovered, info: { ...recovered.info, ...info } } : recovered;
}

/** A copy of a document with only the operations that are named as unused. */
export function uncovered_spec(spec: JsonObject, uncovered: readonly string[]): JsonObject {
  const wanted = new Set(uncovered);
  const verbs = new Set(operationsOf(spec).map(({ method }) => method));
  const paths = isObject(spec['paths']) ? spec['paths'] : {};
  const kept = Object.entries(paths).flatMap(([path, item]) => {
    if (!isObject(item)) return [];
    const entries = Object.entries(item).filter(
      ([key]) => !verbs.has(key) || wanted.has(`${key.toUpperCase()} ${path}`),
    );
    return entries.some(([key]) => verbs.has(key)) ? [[path, Object.fromEntries(entries)]] : [];
  });
  return { ...spec, paths: Object.fromEntries(kept) as JsonObject };
}

/** Records of the active run context that passed, then those of saved reports, in order. */
export async function collect_records(
  { report_paths = [] }: { readonly report_paths?: readonly string[] | null } = {},
  options: SessionOptions = {},
): Promise<RecordedRequest[]> {
  const current = (get_run_context()?.records() ?? []).filter(({ outcome }) => outcome === 'passed');
  const saved: RecordedRequest[] = [];
  for (const path of report_paths ?? []) addAll(saved, await load_report_records(path, options));
  return [...current, ...saved];
}
