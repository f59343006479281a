import type { Base } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

import { basicLogin, deliver, serviceUrl } from '../deliver.ts';
import type { Service, ServiceContext } from '../deliver.ts';

const PASSED = 1;
const FAILED = 5;
/** The server is being worked on, or somebody else writes to the run: nothing was done. */
const BUSY = [409];
/** By how much (s) the clock of the server may be behind. */
const SKEW = 60;
const PAGE = 250;
const MOST_PAGES = 400;

export const WR_caseman_send_results = command('WR_caseman_send_results', async (params, ctx) => {
  const { base_url: base, run_id: run } = params;
  const service = serviceOf(params, ctx);
  const results = params.results as readonly JsonObject[];
  const since = Math.floor(ctx.clock.now() / 1000);
  const answer = await deliver(
    {
      method: 'POST',
      url: apiUrl(base, `add_results_for_cases/${run}`),
      body: JSON.stringify({ results }),
      what: 'add results to a run',
      busy: BUSY,
      look: () => sentSince(base, run, { results, since }, service, ctx),
    },
    service,
    ctx,
  );
  return answer as JsonObject | JsonObject[];
});

export const WR_caseman_results_from_pairs = command('WR_caseman_results_from_pairs', ({ pairs, comment_field }) =>
  pairs.map((pair, index) => {
    const comment = (pair as JsonObject)[comment_field];
    return {
      case_id: caseId(pair.case_id ?? null, index),
      status_id: pair.passed === true ? PASSED : FAILED,
      ...(comment === undefined || comment === null
        ? {}
        : { comment: typeof comment === 'string' ? comment : JSON.stringify(comment) }),
    };
  }),
);

export const WR_caseman_close_run = command('WR_caseman_close_run', async (params, ctx) => {
  const { base_url: base, run_id: run } = params;
  const service = serviceOf(params, ctx);
  const look = async (): Promise<Json | undefined> => {
    const found = await deliver(
      { method: 'GET', url: apiUrl(base, `get_run/${run}`), what: 'read a run', busy: BUSY },
      service,
      ctx,
    );
    return isObject(found) && found['is_completed'] === true ? found : undefined;
  };
  const answer = await deliver(
    { method: 'POST', url: apiUrl(base, `close_run/${run}`), what: 'close a run', busy: BUSY, look },
    service,
    ctx,
  );
  return isObject(answer) ? answer : {};
});

/**
 * The results of a call whose answer was lost, where every one of them is in the run; undefined where none is. Others
 * send results into the same run, so each is looked for at its own case.
 */
async function sentSince(
  base: string,
  run: number,
  { results, since }: { readonly results: readonly JsonObject[]; readonly since: number },
  service: Service,
  ctx: ServiceContext,
): Promise<Json | undefined> {
  const recent = `get_results_for_run/${run}&created_after=${since - SKEW}`;
  const found = await listed(base, { list: 'results', verb: recent }, service, ctx);
  if (found.length < results.length) return undefined;
  const tests = await listed(base, { list: 'tests', verb: `get_tests/${run}` }, service, ctx);
  const cases = new Map(tests.map(({ id = null, case_id = null }) => [id, case_id]));
  return matched(
    results,
    found.map((result) => ({ result, case: cases.get(result['test_id'] ?? null) })),
  );
}

/** All pages of a list. */
async function listed(
  base: string,
  { verb, list }: { readonly verb: string; readonly list: 'results' | 'tests' },
  service: Service,
  ctx: ServiceContext,
): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const url = apiUrl(base, `${verb}&limit=${PAGE}&offset=${page * PAGE}`);
    const answer = await deliver({ method: 'GET', url, what: `read the ${list} of a run`, busy: BUSY }, service, ctx);
    // Older servers give the bare list.
    const entries = isObject(answer) ? answer[list] : answer;
    const own = Array.isArray(entries) ? entries.filter(isObject) : [];
    found.push(...own);
    if (own.length < PAGE) break;
  }
  return found;
}

/** The newest entry for each result. All arrive by one request, so that one of them stands for all. */
function matched(
  results: readonly JsonObject[],
  found: readonly { readonly result: JsonObject; readonly case: Json | undefined }[],
): Json | undefined {
  const left = [...found];
  const own: JsonObject[] = [];
  for (const { case_id: id, status_id: status, comment = null } of results) {
    const at = left.findIndex(
      ({ result, case: of }) => of === id && result['status_id'] === status && (result['comment'] ?? null) === comment,
    );
    if (at < 0) return undefined;
    own.push(...left.splice(at, 1).map(({ result }) => result));
  }
  return own;
}

function caseId(given: number | string | null, index: number): number {
  const text = String(given ?? '').replace(/^C(?=\d)/, '');
  const id = /^\d+$/.test(text) ? Number(text) : NaN;
  // Beyond these a number would name another case.
  if (!Number.isSafeInteger(id)) throw fail.caseWithoutId({ index, id: JSON.stringify(given) });
  return id;
}

/** The path stands behind the question mark. */
function apiUrl(base: string, path: string): URL {
  return serviceUrl(base, `/index.php?/api/v2/${path}`);
}

function serviceOf(
  { username, api_key, timeout }: { readonly username: string; readonly api_key: string; readonly timeout: number },
  ctx: Base,
): Service {
  return {
    name: 'The case manager',
    authorization: basicLogin(username, api_key, ctx),
    timeout_ms: timeout * 1000,
  };
}
