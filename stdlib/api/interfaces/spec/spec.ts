import { Coverage, coverageText, readMinimum } from '#grammar/openapi/coverage.ts';
import { Shape } from '#grammar/openapi/infer-schema.ts';
import { serverBasePath } from '#grammar/openapi/base-path.ts';
import { operationsOf } from '#grammar/openapi/operations.ts';
import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';
import { commandRaising } from '#stdlib/command.ts';

import { collectRecords } from '../../saved-records.ts';
import { exampleActions } from '#grammar/openapi/example-actions.ts';
import { recordFacts } from '../record-facts.ts';
import { readSpec } from '../read-spec.ts';
import { changelog } from './changelog.ts';
import { checkRecords, reportText } from './check-records.ts';
import { recoverOpenApi } from './recover.ts';

const command = commandRaising('APITesterException', ['APIAssertException', 'APIJsonReportException']);

export const AT_infer_schema = command('AT_infer_schema', ({ sample }) => Shape.of(sample as Json).schema());

export const AT_records_to_openapi = command('AT_records_to_openapi', ({ records, title, version }, ctx) =>
  recoverOpenApi((records as readonly JsonObject[] | null) ?? ctx.requestLog.exchanges(ctx.step).passed, {
    title,
    version,
  }),
);

export const AT_export_openapi = command('AT_export_openapi', async (params, ctx) => {
  const { output_path: path, title, version } = params;
  const records = await collectRecords(params.report_paths, ctx);
  await writeDocument(path, { ...recoverOpenApi(records, { title, version }) }, ctx);
  return path;
});

export const AT_openapi_changelog = command('AT_openapi_changelog', ({ left, right }) =>
  changelog(left as JsonObject, right as JsonObject),
);

export const AT_check_spec_against_tests = command('AT_check_spec_against_tests', async (params, ctx) => {
  const document = await readSpec(params.spec_path, ctx);
  const records = await collectRecords(params.report_paths, ctx);
  if (records.length === 0) throw fail.specNoRecords({ path: params.spec_path });
  const report = checkRecords(records, document, params.min_coverage);
  // Both are written before the step can fail: they say what to do about it.
  if (params.missing_actions_path !== null)
    await writeDocument(params.missing_actions_path, { svc: exampleActions(document, report.uncovered) }, ctx);
  if (params.inferred_spec_path !== null)
    await writeDocument(params.inferred_spec_path, inferred(records, document), ctx);
  return { ...report, first: report.failures[0] ?? '', report: reportText(report) };
});

export const AT_check_openapi_coverage = command('AT_check_openapi_coverage', async (params, ctx) => {
  const coverage = new Coverage(await readSpec(params.spec_path, ctx));
  const { passed, failed } = ctx.requestLog.exchanges(ctx.step);
  for (const record of [...passed, ...failed.flatMap(({ record: one }) => (one ? [one as JsonObject] : []))]) {
    const facts = recordFacts(record, coverage.basePath);
    if (facts) coverage.add(facts);
  }
  const report = coverage.report(readMinimum(params.min_coverage));
  if (params.output_path !== null) await writeDocument(params.output_path, { ...report } as unknown as JsonObject, ctx);
  const text = coverageText(report);
  ctx.attach({ kind: 'text', name: 'OpenAPI coverage', text });
  return { ...report, first: report.failures[0] ?? '', report: text } as never;
});

/** Document that the records describe, under the templates, with title and servers of the committed one. */
function inferred(records: readonly JsonObject[], document: JsonObject): JsonObject {
  const info = isObject(document['info']) ? document['info'] : {};
  const recovered = recoverOpenApi(records, {
    title: 'svc Inferred',
    version: '0.1.0',
    templates: [...new Set(operationsOf(document).map(({ path }) => path))],
    basePath: serverBasePath(document),
    servers: document['servers'],
  });
  return { ...recovered, info: { ...recovered.info, ...info } };
}

/** Writes JSON, or YAML where the name says so; missing folders are made. */
async function writeDocument(path: string, document: JsonObject, ctx: Base & Pick<Ports, 'files'>): Promise<void> {
  const isYaml = /\.ya?ml$/i.test(path);
  const text = isYaml
    ? (await import('#grammar/document/print.ts')).printYaml(document)
    : JSON.stringify(document, null, 2);
  await ctx.files.write(path, `${text}\n`, { parents: true, durable: ctx.durable, signal: ctx.signal });
}
