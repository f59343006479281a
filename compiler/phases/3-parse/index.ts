import type { Document } from '#grammar/document/document.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Report } from '#schemas/types/diagnostic.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

import { readAction } from './action.ts';
import type { ActionFile, StepList, WrittenOpenApi } from './ast.ts';
import { readBody } from './envelope.ts';
import { readMeta } from './meta.ts';
import { MAX_ACTIONS, type Reading } from './reading.ts';
import { readStepList } from './step-list.ts';

export interface ParseOptions {
  readonly report: Report;
  readonly isCommand: (name: string) => boolean;
  /** Whether reading the text found errors. */
  readonly hadErrors: boolean;
  /** Highest number of actions in a file. */
  readonly mostActions?: number;
}

/**
 * A document, with migrations laid over it, to steps. All action forms become one (`compiler/language/steps.md`); what
 * cannot be read is reported and left out. Undefined where the file has no body to speak of.
 */
export function parse(document: Document, options: ParseOptions): ActionFile | undefined {
  const { report, hadErrors } = options;
  const reading: Reading = {
    source: document.source,
    report,
    isCommand: options.isCommand,
    hasModules: hasModules(document.value),
    ...(hadErrors ? { isPoisoned: (route) => document.isPoisoned(route) } : {}),
    budget: { left: options.mostActions ?? MAX_ACTIONS, most: options.mostActions ?? MAX_ACTIONS },
  };
  const body = readBody(document.value, [], reading);
  if (body === undefined) return undefined;
  const top: Json = document.value;
  const field = (key: string): Json | undefined => (isObject(top) && Object.hasOwn(top, key) ? top[key] : undefined);
  const meta = readMeta(field('meta'), document.source, report);
  const file: ActionFile = {
    document,
    ...(body.key === undefined ? {} : { bodyKey: body.key }),
    meta,
    setup: readStepList(field('setup'), ['setup'], 'list', reading),
    body: body.list,
    teardown: withCoverage(readStepList(field('teardown'), ['teardown'], 'list', reading), meta.openapi, reading),
  };
  notEmpty(file.body, reading);
  return file;
}

function hasModules(top: Json): boolean {
  const meta = isObject(top) ? (top['meta'] ?? null) : null;
  return isObject(meta) && (meta['modules'] ?? null) !== null;
}

/**
 * The step that compares the requests of a file with the document which its `meta.openapi` names stands behind its
 * teardown.
 */
function withCoverage(teardown: StepList, openapi: WrittenOpenApi | undefined, reading: Reading): StepList {
  if (openapi === undefined) return teardown;
  const { path, min_coverage: least, report } = openapi;
  const params = {
    spec_path: path,
    ...(least === undefined ? {} : { min_coverage: least }),
    ...(report === undefined ? {} : { output_path: report }),
  };
  const list = { ...teardown, steps: [...teardown.steps] };
  const step = readAction(
    { AT_check_openapi_coverage: params, name: 'OpenAPI coverage' },
    list,
    list.steps.length,
    reading,
  );
  if (step) list.steps.push(step);
  return list;
}

function notEmpty(body: StepList, reading: Reading): void {
  if (body.steps.length > 0 || body.incomplete) return;
  reading.report(d.emptyBody({ at: { source: reading.source, route: body.route, part: 'value' } }));
}
