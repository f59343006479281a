import type { Base } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

import { outcomeOf, type RecordedStep } from '#stdlib/browser/recorded-step.ts';
import { basicLogin } from '../deliver.ts';
import type { ServiceContext } from '../deliver.ts';
import { fieldsOf, fileIssue, findIssue } from './issues.ts';
import type { Tracker } from './issues.ts';
import { titleOf } from './title.ts';

/** Limit of each request of `WR_tracker_create_failure_issues` (s). */
const SECONDS = 30;
/** Characters of the parameters and of the error in a description; a tracker takes 32,767 in all. */
const LONGEST = { params: 4_000, exception: 16_000 };
/** Titles that a failure names. */
const MOST_NAMED = 10;

export const WR_tracker_create_issue = command('WR_tracker_create_issue', async (params, ctx) => {
  const { summary, description, issue_type: type, extra_fields: extra, timeout } = params;
  const tracker = trackerOf(params, timeout, ctx);
  const fields = fieldsOf({ project: tracker.project, summary, description, type }, (extra ?? {}) as JsonObject);
  return await fileIssue(fields, tracker, ctx);
});

export const WR_tracker_create_failure_issues = command('WR_tracker_create_failure_issues', async (params, ctx) => {
  const failed = ctx.stepRecord.all().filter((step) => outcomeOf(step) === 'failed');
  const tracker = trackerOf(params, SECONDS, ctx);
  const outcomes: Outcome[] = [];
  let first: Failure | undefined;
  let refused: Failure | undefined;
  for (const step of failed) {
    const title = titleOf(step);
    if (refused) {
      outcomes.push({ title, outcome: 'failed', error: `not tried: ${refused.message}` });
      continue;
    }
    try {
      const open = await findIssue(title, {}, tracker, ctx);
      if (open) outcomes.push({ title, outcome: 'existing', ...open });
      else if (outcomes.filter(({ outcome }) => outcome === 'created').length >= params.max_issues)
        outcomes.push({ title, outcome: 'left_out' });
      else outcomes.push(await file(step, title, params, tracker, ctx));
    } catch (error) {
      ctx.signal.throwIfAborted();
      if (!(error instanceof Failure)) throw error;
      outcomes.push({ title, outcome: 'failed', error: error.message });
      first ??= error;
      if (endsAll(error)) refused = error;
    }
  }
  const lost = outcomes.filter(({ outcome }) => outcome === 'failed');
  if (lost.length === 0) return outcomes;
  const named = lost.slice(0, MOST_NAMED).map(({ title }) => `"${title}"`);
  throw fail.issuesNotFiled({
    failed: lost.length,
    total: outcomes.length,
    titles: named.join(', ') + (lost.length > MOST_NAMED ? ', …' : ''),
    result: outcomes,
    ...(first ? { cause: refused ?? first } : {}),
  });
});

type Outcome = {
  readonly title: string;
  readonly outcome: 'created' | 'existing' | 'left_out' | 'failed';
  readonly id?: string;
  readonly key?: string;
  readonly self?: string;
  readonly error?: string;
};

async function file(
  step: RecordedStep,
  title: string,
  { issue_type: type, build_url }: { readonly issue_type: string; readonly build_url: string | null },
  tracker: Tracker,
  ctx: ServiceContext,
): Promise<Outcome> {
  const description = [
    `function: ${step.function_name}`,
    `params: ${ctx.excerpt(JSON.stringify(step.local_param), LONGEST.params)}`,
    `time: ${step.time}`,
    `exception: ${ctx.excerpt(String(step.program_exception), LONGEST.exception)}`,
    ...(build_url === null ? [] : [`build: ${build_url}`]),
  ].join('\n');
  const made = await fileIssue(
    fieldsOf({ project: tracker.project, summary: title, description, type }, {}),
    tracker,
    ctx,
  );
  const { id, key, self } = made as Readonly<Record<string, unknown>>;
  return {
    title,
    outcome: 'created',
    ...(typeof id === 'string' && { id }),
    ...(typeof key === 'string' && { key }),
    ...(typeof self === 'string' && { self }),
  };
}

/** A login that is wrong, a right that is missing: it would be so for every issue. */
function endsAll({ facts: { code }, message }: Failure): boolean {
  return code === 'SVC82090' && /status 40[134]\b/.test(message);
}

function trackerOf(
  params: {
    readonly base_url: string;
    readonly email: string;
    readonly api_token: string;
    readonly project_key: string;
  },
  seconds: number,
  ctx: Base,
): Tracker {
  return {
    name: 'The issue tracker',
    base: params.base_url,
    project: params.project_key,
    authorization: basicLogin(params.email, params.api_token, ctx),
    timeout_ms: seconds * 1000,
  };
}
