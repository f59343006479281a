import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { whereTheyDiffer } from '#runtime/kernel/values/differences.ts';
import { commandRaising } from '#stdlib/command.ts';

import { equalJson } from '../../equal-json.ts';
import { schemaLines } from './schema-lines.ts';
import { judgeTimes } from './sla.ts';
import { compareSnapshot } from './snapshot.ts';

const command = commandRaising('APITesterException', ['APIAssertException']);

export const AT_assert_sla = command('AT_assert_sla', ({ records, sla }, ctx) => {
  const limits = { max_ms: sla?.max_ms ?? 5000, p95_ms: sla?.p95_ms ?? 5000 };
  judgeTimes(records ?? ctx.requestLog.entries(ctx.step), limits);
});

export const AT_check_json_schema = command('AT_check_json_schema', async ({ payload, schema }, ctx) => {
  const findings = await ctx.jsonSchema.check(payload as Json, schema as JsonObject | boolean);
  if (findings.length === 0) return;
  throw fail.schemaViolated({
    ...schemaLines(findings, payload as Json),
    actual: findings.map((finding) => ({ ...finding })),
  });
});

export const AT_check_jsonpath = command('AT_check_jsonpath', (params, ctx) => {
  const { expression, expected_count: count, expected_in: allowed } = params;
  const matches = ctx.jsonPath.find(expression, params.payload as Json);
  if (count === null ? matches.length === 0 : matches.length !== count) {
    throw fail.jsonpathCount({
      expression,
      found: matches.length,
      wanted: count ?? '1+',
      actual: matches.map(({ value }) => value),
    });
  }
  const wanted = params.expected as Json | undefined;
  const fits = (value: Json): boolean =>
    (wanted === undefined || equalJson(value, wanted)) &&
    (allowed === null || (allowed as readonly Json[]).some((one) => equalJson(value, one)));
  const wrong = matches.filter(({ value }) => !fits(value));
  const [first] = wrong;
  if (first) {
    const expected = {
      ...(wanted === undefined ? {} : { equal: wanted }),
      ...(allowed === null ? {} : { one_of: allowed as readonly Json[] }),
    };
    throw fail.jsonpathMismatch({
      expression,
      count: wrong.length,
      total: matches.length,
      place: first.path,
      expected,
      help: wanted === undefined ? undefined : whereTheyDiffer(first.value, wanted),
      actual: Object.fromEntries(wrong.map(({ path, value }) => [path, value])),
    });
  }
  return matches.map(({ value }) => value);
});

export const AT_assert_snapshot = command('AT_assert_snapshot', async (params, ctx) => {
  const onBuildServer = !['', '0', 'false'].includes(ctx.environment.get('CI') ?? '');
  const folder = params.snapshot_dir ?? '__snapshots__';
  await compareSnapshot(
    {
      ...params,
      folder,
      payload: params.payload as Json,
      ignore: params.ignore_keys ?? [],
      masks: params.masks ?? [],
      update: params.update || ctx.snapshots.updating,
      mayWrite: !onBuildServer,
    },
    ctx,
  );
});
