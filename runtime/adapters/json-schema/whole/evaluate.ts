import * as fail from '#schemas/generated/failures.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import type { SchemaFinding } from '../port.ts';
import { checkItems, checkUnevaluatedItems } from './lists.ts';
import { hasKeyword } from './keywords.ts';
import { checkProperties, checkUnevaluatedProperties } from './objects.ts';
import { checkValue } from './scalars.ts';
import { own, pointerOf, type Resource, type SchemaAt } from './schemas.ts';
import { fits, take, type Outcome, type Tools, type Visit } from './visit.ts';

interface Way {
  readonly at: string;
  /** The resources on the way, the innermost first. */
  readonly scope: Scope | undefined;
  readonly depth: number;
}

interface Scope {
  readonly resource: Resource;
  readonly outer: Scope | undefined;
}

/** Schemas and values inside one another; a reference may lead to where it stands. */
const MOST_DEPTH = 500;

/** Holds a value to a whole document. Fails where a reference leads nowhere or schemas never end. */
export function evaluate(tools: Tools, value: Json): readonly SchemaFinding[] {
  return evaluateAt(tools, tools.schemas.root, value, { at: '', scope: undefined, depth: 0 }).findings;
}

function evaluateAt(tools: Tools, here: SchemaAt, value: Json, way: Way): Outcome {
  const outcome = nothing();
  tools.work.add(way.at);
  if (way.depth > MOST_DEPTH)
    throw fail.schemaBroken({ reason: `more than ${MOST_DEPTH} schemas inside one another at ${here.pointer}` });
  if (here.schema === false) outcome.findings.push(finding(here, way.at, undefined, 'boolean schema is false'));
  if (!isObject(here.schema)) return outcome;
  const scope = way.scope?.resource === here.resource ? way.scope : { resource: here.resource, outer: way.scope };
  const visit = visitOf(tools, here, here.schema, value, outcome, { ...way, scope });
  const alone = !hasKeyword(here.resource.dialect, '$anchor') && typeof visit.get('$ref') === 'string';
  followReferences(visit, scope, (target) => evaluateAt(tools, target, value, { ...way, scope, depth: way.depth + 1 }));
  if (alone) return outcome;
  checkAll(visit);
  return outcome;
}

function nothing(): Outcome {
  return { findings: [], properties: new Set(), items: new Set() };
}

function visitOf(tools: Tools, here: SchemaAt, schema: JsonObject, value: Json, outcome: Outcome, way: Way): Visit {
  const judge: Visit['judge'] = (keys, part, key) => {
    const target = tools.schemas.step(here, ...keys);
    if (target === undefined) return nothing();
    const at = key === undefined ? way.at : `${way.at}${pointerOf([key])}`;
    return evaluateAt(tools, target, part, { at, scope: way.scope, depth: way.depth + 1 });
  };
  return {
    tools,
    here,
    schema,
    value,
    outcome,
    judge,
    get: (keyword) => (hasKeyword(here.resource.dialect, keyword) ? own(schema, keyword) : undefined),
    apply: (keys, part, key) => {
      // Places looked at inside a part of the value say nothing about the value itself.
      return take(outcome, judge(keys, part, key), key === undefined);
    },
    find: (keyword, message) => void outcome.findings.push(finding(here, way.at, keyword, message)),
  };
}

function checkAll(visit: Visit): void {
  const { value } = visit;
  checkCombined(visit);
  checkValue(visit);
  if (isList(value)) {
    checkItems({ ...visit, value });
    checkUnevaluatedItems({ ...visit, value });
  } else if (isObject(value)) {
    checkProperties({ ...visit, value });
    checkUnevaluatedProperties({ ...visit, value });
  }
}

function followReferences(visit: Visit, scope: Scope, go: (target: SchemaAt) => Outcome): void {
  const { schemas } = visit.tools;
  const [plain, dynamic, recursive] = [visit.get('$ref'), visit.get('$dynamicRef'), visit.get('$recursiveRef')];
  if (typeof plain === 'string') take(visit.outcome, go(schemas.resolve(visit.here, plain)), true);
  if (typeof dynamic === 'string') {
    const first = schemas.resolve(visit.here, dynamic);
    const name = dynamic.slice(dynamic.indexOf('#') + 1);
    const outer = first.resource.dynamic.has(name)
      ? outermost(scope, (resource) => resource.dynamic.get(name))
      : undefined;
    take(visit.outcome, go(outer ?? first), true);
  }
  if (typeof recursive === 'string') {
    const first = schemas.resolve(visit.here, recursive);
    const root = (resource: Resource): SchemaAt | undefined =>
      isObject(resource.root) && own(resource.root, '$recursiveAnchor') === true
        ? { schema: resource.root, resource, pointer: '' }
        : undefined;
    take(visit.outcome, go((root(first.resource) && outermost(scope, root)) ?? first), true);
  }
}

function outermost(scope: Scope, find: (resource: Resource) => SchemaAt | undefined): SchemaAt | undefined {
  let found: SchemaAt | undefined;
  for (let here: Scope | undefined = scope; here !== undefined; here = here.outer) found = find(here.resource) ?? found;
  return found;
}

function checkCombined(visit: Visit): void {
  const { value } = visit;
  const branches = (keyword: string): readonly Outcome[] | undefined => {
    const parts = visit.get(keyword);
    return isList(parts) ? parts.map((_, index) => visit.judge([keyword, index], value)) : undefined;
  };
  for (const outcome of branches('allOf') ?? []) take(visit.outcome, outcome, true);
  const any = branches('anyOf');
  if (any !== undefined) takeSome(visit, any, any.some(fits), 'anyOf', 'must match a schema in anyOf');
  const one = branches('oneOf');
  if (one !== undefined) checkOne(visit, one);
  if (visit.get('not') !== undefined && fits(visit.judge(['not'], value))) visit.find('not', 'must NOT be valid');
  if (visit.get('if') !== undefined) checkCondition(visit);
}

function takeSome(visit: Visit, parts: readonly Outcome[], holds: boolean, keyword: string, message: string): void {
  for (const part of parts) if (fits(part) || !holds) take(visit.outcome, part, true);
  if (!holds) visit.find(keyword, message);
}

function checkOne(visit: Visit, parts: readonly Outcome[]): void {
  const message = 'must match exactly one schema in oneOf';
  // Where several branches fit, the findings of the others do not count.
  if (parts.filter(fits).length > 1) visit.find('oneOf', message);
  else takeSome(visit, parts, parts.some(fits), 'oneOf', message);
}

function checkCondition(visit: Visit): void {
  const condition = visit.judge(['if'], visit.value);
  if (fits(condition)) take(visit.outcome, condition, true);
  const branch = fits(condition) ? 'then' : 'else';
  if (!visit.apply([branch], visit.value)) visit.find('if', `must match "${branch}" schema`);
}

function finding(here: SchemaAt, at: string, keyword: string | undefined, message: string): SchemaFinding {
  const { uri } = here.resource;
  const place = uri.startsWith('schema:') ? '' : uri;
  const pointer = here.pointer.split('/').map((key) => encodeURIComponent(key.toWellFormed()).replaceAll('%24', '$'));
  return { at, rule: `${place}#${pointer.join('/')}/${keyword ?? 'false schema'}`, message };
}
