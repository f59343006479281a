import type { TestCase } from '#grammar/openapi/generate/test-case.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { makeCompileActions } from '../compile-actions.ts';
import type { Project } from '../project.ts';
import { openUnit, type OpenUnit } from '../unit-session.ts';
import { smallerCases } from './smaller-cases.ts';

export interface CaseOutcome {
  /** The test as it ran; of one that failed the smallest that fails alike. */
  readonly test: TestCase;
  /** Absent: it passed. */
  readonly failure?: string;
}

/** Runs of one failing test until it is taken to be as small as it can be. */
const TRIES = 100;

interface Around {
  readonly project: Project;
  readonly settings: Partial<Settings>;
}

/** Runs each test by itself, in a unit of its own, against the server at an address; failing ones are made smaller. */
export async function runCases(
  cases: readonly TestCase[],
  baseUrl: string,
  around: Around,
): Promise<readonly CaseOutcome[]> {
  const outcomes: CaseOutcome[] = [];
  for (const test of cases) {
    const failed = await failureOf(test, baseUrl, around);
    outcomes.push(failed === undefined ? { test } : { ...(await shrunk(test, failed, baseUrl, around)) });
  }
  return outcomes;
}

interface Failed {
  readonly code: string;
  readonly message: string;
  /** Status of the answer that failed it; undefined: there was none. */
  readonly status: number | undefined;
}

async function shrunk(test: TestCase, failed: Failed, baseUrl: string, around: Around): Promise<CaseOutcome> {
  let [smallest, failure, tries] = [test, failed, 0];
  for (let smaller = true; smaller && tries < TRIES;) {
    smaller = false;
    for (const candidate of smallerCases(smallest)) {
      if (++tries > TRIES) break;
      const now = await failureOf(candidate, baseUrl, around);
      // The same fault: another status would be another one.
      if (now?.code !== failed.code || now.status !== failed.status) continue;
      [smallest, failure, smaller] = [candidate, now, true];
      break;
    }
  }
  return { test: smallest, failure: failure.message };
}

async function failureOf(test: TestCase, baseUrl: string, { project, settings }: Around): Promise<Failed | undefined> {
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
  return undefined;
}

async function lastStatus(unit: OpenUnit): Promise<number | undefined> {
  const status = await unit.within(
    'last status',
    ['requestLog'],
    (ctx) => ctx.requestLog.entries().at(-1)?.status as Json,
  );
  return typeof status === 'number' ? status : undefined;
}
