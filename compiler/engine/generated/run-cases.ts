import type { SeenExchange } from '#grammar/openapi/exchange-facts.ts';
import type { TestCase } from '#grammar/openapi/generate/test-case.ts';
import { operationsOf } from '#grammar/openapi/operations.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { HttpResult } from '#stdlib/http/result.ts';

import { makeCompileActions } from '../compile-actions.ts';
import type { Project } from '../project.ts';
import { openUnit, type OpenUnit } from '../unit-session.ts';
import { forbiddenAnswer, type HeldTo } from './forbidden-answer.ts';
import { requestFaults } from './request-faults.ts';
import { smallerCases } from './smaller-cases.ts';

export interface CaseOutcome {
  /** The test as it ran; of one that failed the smallest that fails alike. */
  readonly test: TestCase;
  /** Absent: it passed. */
  readonly failure?: string;
  /** Its steps passed, and an answer was one that the document forbids. */
  readonly isForbidden?: boolean;
}

/** Runs of one failing test until it is taken to be as small as it can be. */
const TRIES = 100;

interface Around {
  readonly document: JsonObject;
  readonly project: Project;
  readonly settings: Partial<Settings>;
}

/**
 * Runs each test by itself, in a unit of its own, against the server at an address, and holds its answers to the
 * document; failing ones are made smaller.
 */
export async function runCases(
  cases: readonly TestCase[],
  baseUrl: string,
  { document, ...given }: Around,
): Promise<readonly CaseOutcome[]> {
  const basePath = URL.parse(baseUrl)?.pathname.replace(/\/+$/, '') ?? '';
  const around = { ...given, held: { document, operations: operationsOf(document), basePath } };
  const outcomes: CaseOutcome[] = [];
  for (const test of cases) {
    const failed = await failureOf(test, baseUrl, around);
    outcomes.push(failed === undefined ? { test } : { ...(await shrunk(test, failed, baseUrl, around)) });
  }
  return outcomes;
}

interface Running extends Omit<Around, 'document'> {
  readonly held: HeldTo;
}

interface Failed {
  readonly code: string;
  readonly message: string;
  /** Status of the answer that failed it; undefined: there was none. */
  readonly status: number | undefined;
  readonly isForbidden?: true;
}

async function shrunk(test: TestCase, failed: Failed, baseUrl: string, around: Running): Promise<CaseOutcome> {
  let [smallest, failure, tries] = [test, failed, 0];
  const faults = requestFaults(test, around.held);
  for (let smaller = true; smaller && tries < TRIES;) {
    smaller = false;
    for (const candidate of smallerCases(smallest)) {
      if (requestFaults(candidate, around.held) !== faults) continue;
      if (++tries > TRIES) break;
      const now = await failureOf(candidate, baseUrl, around);
      // The same fault: another status would be another one.
      if (now?.code !== failed.code || now.status !== failed.status) continue;
      [smallest, failure, smaller] = [candidate, now, true];
      break;
    }
  }
  return { test: smallest, failure: told(failure), ...(failure.isForbidden && { isForbidden: true }) };
}

/** The failure with the status that was answered, which the conditions of the tests speak of. */
function told({ message, status, isForbidden }: Failed): string {
  return status === undefined || isForbidden ? message : `answered ${status}: ${message}`;
}

async function failureOf(
  test: TestCase,
  baseUrl: string,
  { project, settings, held }: Running,
): Promise<Failed | undefined> {
  const { host, root, environment } = project;
  await using unit = await openUnit({
    host,
    root,
    settings,
    environment,
    unit: { source: 'generated' },
    variables: { base_url: baseUrl },
  });
  const compiler = makeCompileActions();
  for (const [index, { params, options }] of test.steps.entries()) {
    const { name: _name, tags: _tags, ...others } = options;
    const action = { AT_test_api_method: params, ...others } as JsonObject;
    const compiled = await compiler.list([action], `generated#${index}`, { host, root, here: root });
    for (const node of compiled.parts[0]?.body ?? []) {
      const { failure } = await unit.step(node, compiled);
      if (failure)
        return { code: failure.facts.code, message: unit.masked(failure.message), status: await lastStatus(unit) };
    }
  }
  const found = forbiddenAnswer(await answersOf(unit), held);
  if (!found) return undefined;
  return { code: found.place, message: unit.masked(found.message), status: found.status, isForbidden: true };
}

async function answersOf(unit: OpenUnit): Promise<readonly SeenExchange[]> {
  const records = await unit.within('answers', ['requestLog'], (ctx) => ctx.requestLog.exchanges().passed);
  return (records as unknown as readonly HttpResult[]).map((record) => ({
    method: record.request_method,
    url: record.request_url,
    status: record.status_code,
    requestHeaders: record.request_headers,
    requestBody: record.request_body ?? undefined,
    responseHeaders: record.headers,
    responseBody: record.text,
  }));
}

async function lastStatus(unit: OpenUnit): Promise<number | undefined> {
  const status = await unit.within(
    'last status',
    ['requestLog'],
    (ctx) => ctx.requestLog.entries().at(-1)?.status as Json,
  );
  return typeof status === 'number' ? status : undefined;
}
