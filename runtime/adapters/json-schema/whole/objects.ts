import { addAll } from '#grammar/source/add-all.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import { checkCount } from './scalars.ts';
import type { Visit } from './visit.ts';

type Members = Visit<JsonObject>;

export function checkProperties(visit: Members): void {
  checkCount(visit, Object.keys(visit.value).length, ['minProperties', 'maxProperties'], 'properties');
  const required = visit.get('required');
  if (isList(required))
    for (const name of required)
      if (!Object.hasOwn(visit.value, String(name)))
        visit.find('required', `must have required property '${String(name)}'`);
  checkDependent(visit);
  const [properties, patterns] = [visit.get('properties'), visit.get('patternProperties')];
  const known = isObject(properties) ? properties : {};
  const rules = isObject(patterns) ? Object.keys(patterns) : [];
  for (const [name, value] of Object.entries(visit.value)) checkMember(visit, [name, value], known, rules);
}

function checkMember(
  visit: Members,
  [name, value]: readonly [string, Json],
  known: JsonObject,
  patterns: readonly string[],
): void {
  const check = (keys: readonly string[]): void => {
    if (visit.apply(keys, value, name)) visit.outcome.properties.add(name);
  };
  if (visit.get('propertyNames') !== undefined && !fitsName(visit, name))
    visit.find('propertyNames', `property name must be valid: ${JSON.stringify(name)}`);
  const fitting = patterns.filter((pattern) => visit.tools.regex.match(pattern, 'u', name) !== null);
  for (const pattern of fitting) check(['patternProperties', pattern]);
  if (Object.hasOwn(known, name)) check(['properties', name]);
  else if (fitting.length > 0) return;
  else if (visit.get('additionalProperties') === false)
    visit.find('additionalProperties', `must NOT have additional properties: ${JSON.stringify(name)}`);
  else if (visit.get('additionalProperties') !== undefined) check(['additionalProperties']);
}

/** A name is no part of the value: what is found of it is found of the object. */
function fitsName(visit: Members, name: string): boolean {
  const outcome = visit.judge(['propertyNames'], name);
  addAll(visit.outcome.findings, outcome.findings);
  return outcome.findings.length === 0;
}

/** `dependentRequired`, `dependentSchemas`, and `dependencies`, which was both. */
function checkDependent(visit: Members): void {
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    const rules = visit.get(keyword);
    if (!isObject(rules)) continue;
    for (const [name, rule] of Object.entries(rules)) {
      if (!Object.hasOwn(visit.value, name)) continue;
      if (isList(rule)) checkPresent(visit, keyword, name, rule);
      else visit.apply([keyword, name], visit.value);
    }
  }
}

function checkPresent(visit: Members, keyword: string, name: string, wanted: readonly Json[]): void {
  if (wanted.every((other) => Object.hasOwn(visit.value, String(other)))) return;
  const all = `${wanted.length === 1 ? 'property' : 'properties'} ${wanted.join(', ')}`;
  visit.find(keyword, `must have ${all} when property ${name} is present`);
}

/** Members that no keyword beside this one has looked at. */
export function checkUnevaluatedProperties(visit: Members): void {
  const rule = visit.get('unevaluatedProperties');
  if (rule === undefined) return;
  const left = Object.entries(visit.value).filter(([name]) => !visit.outcome.properties.has(name));
  for (const [name, value] of left)
    if (rule === false)
      visit.find('unevaluatedProperties', `must NOT have unevaluated properties: ${JSON.stringify(name)}`);
    else if (visit.apply(['unevaluatedProperties'], value, name)) visit.outcome.properties.add(name);
}
