import { once } from '../session.ts';
import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import { CommandLineError } from '#grammar/curl/ast.ts';
import { importCurl } from '#grammar/import/curl.ts';
import { importHar } from '#grammar/import/har.ts';
import type { ImportedAction } from '#grammar/import/request.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { readTape } from '#stdlib/api/core/cassette/tape.ts';
import type { TapeEntry } from '#stdlib/api/core/cassette/tape.ts';
import { extract } from '#stdlib/api/core/variables/extract.ts';
import { lookUp, namesOf } from '#stdlib/api/look-up.ts';
import { fillTemplate } from '#stdlib/api/template.ts';

export type { ImportedAction, TapeEntry };

/** Fills `{{name}}` in a value from a store; with `strict` an unknown name throws. */
export function render_value(
  value: Json,
  { store, strict = false }: { readonly store?: JsonObject | null; readonly strict?: boolean } = {},
): Json {
  const known = (store ?? {}) as Readonly<Record<string, Json>>;
  const names = namesOf(known);
  return fillTemplate(value, {
    value: (name) => lookUp(name, names),
    missing: (name) => {
      if (strict) throw fail.templateUnknown({ name, present: Object.keys(known).toSorted().join(', ') });
      return '';
    },
  });
}

/** The value at a dotted path; throws and names the first piece that is not there. */
export function extract_from_payload(payload: Json, path: string): Json {
  return extract(payload, path, 'payload');
}

/** The entries of a tape file; a missing one is empty. */
export function cassette_items(path: string, options: SessionOptions = {}): Promise<TapeEntry[]> {
  return once('cassette_items', ['files'], (given) => readTape(path, given), options);
}

/** Starter actions for an address: a request with the tag `smoke`, and a check that it was quick. */
export function scaffold_action_list(
  url: string,
  { method = 'get' }: { readonly method?: string } = {},
): [string, JsonObject][] {
  return [
    [
      'AT_test_api_method',
      { http_method: method.toLowerCase(), test_url: url, result_check_dict: { status_code: 200 }, tags: ['smoke'] },
    ],
    ['AT_assert_sla', { sla: { max_ms: 2000, p95_ms: 1500 } }],
  ];
}

/**
 * The request of a curl command line as an action, what it could not carry over, and the environment keys that it
 * needs.
 */
export async function convert_curl(curl_command: string): Promise<ImportedAction> {
  const imported = await importCurl(curl_command);
  if (imported instanceof CommandLineError)
    throw fail.curlUnreadable({ reason: imported.reason, position: imported.at + 1 });
  return imported;
}

/** The same for each request of a HAR object. */
export function convert_har(har: Json): ImportedAction[] {
  return importHar(har);
}
