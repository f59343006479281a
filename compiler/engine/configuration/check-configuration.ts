import { readFile } from 'node:fs/promises';

import { checkSchema } from '#runtime/kernel/values/check-schema.ts';
import { unfit } from '#runtime/kernel/values/unfit.ts';
import { reporterNames } from '#runtime/reporters/names.ts';
import { compiled } from '#schemas/types/bounded-match.ts';
import { isList, isObject, pointerKeys, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';
import type { ValidationError } from '#schemas/types/validation.ts';
import { kindOf } from '#compiler/phases/3-parse/fields.ts';
import { valueAt } from '#compiler/phases/3-parse/routes.ts';
import { typeWords } from '#compiler/phases/3-parse/type-words.ts';

import { packageFolder } from '../own/package-folder.ts';
import { nearest } from '../nearest.ts';

/** The patterns are those of our own schemas. */
export const isMatch = (pattern: string, text: string): boolean => compiled(pattern, 'u').test(text);

/** A fault of a configuration, and its place. */
export interface ConfigurationProblem {
  readonly route: Route;
  readonly part: 'key' | 'value';
  readonly reason: string;
  readonly help?: string;
}

async function readSchema(): Promise<JsonObject> {
  return JSON.parse(
    await readFile(new URL('schemas/generated/config.schema.json', packageFolder), 'utf8'),
  ) as JsonObject;
}

/** Values of limits that nothing sets. */
export async function defaultLimits(): Promise<Readonly<Record<string, number>>> {
  const limits = Object.entries(propertiesAt(await readSchema(), ['limits']));
  return Object.fromEntries(
    limits.flatMap(([name, limit]) =>
      isObject(limit) && typeof limit['default'] === 'number' ? [[name, limit['default']]] : [],
    ),
  );
}

/** Holds a configuration to its schema and to the names of rules and commands. Undefined: it is sound. */
export async function checkConfiguration(value: Json): Promise<ConfigurationProblem | undefined> {
  const schema = await readSchema();
  const [error] = checkSchema(schema, value, isMatch);
  if (!error) return isObject(value) ? unknownName(value) : undefined;
  const route = routeTo(error, value);
  const extra = error.params['additionalProperty'];
  if (typeof extra === 'string') return unknownSetting([...route, extra], Object.keys(propertiesAt(schema, route)));
  if (route[0] === 'reporters' && error.keyword === 'pattern') return unknownReporter(value, Number(route[1]));
  if (error.keyword === 'type') return wrongType(value, route, error, schema);
  return { route, part: 'value', reason: unfit([error]) };
}

/** A value of another type; what the setting is for says how to write it. */
function wrongType(value: Json, route: Route, error: ValidationError, schema: JsonObject): ConfigurationProblem {
  const about = schemaAt(schema, route)['description'];
  return {
    route,
    part: 'value',
    reason: `${whatIs(route)} ${ofType(value, route, error)}`,
    ...(typeof about === 'string' && route.length > 0 && { help: `${whatIs(route)}: ${about}` }),
  };
}

/** The route to what a validator speaks of: places in lists are numbers. */
function routeTo({ instancePath }: ValidationError, value: Json): Route {
  return pointerKeys(instancePath).reduce<Route>(
    (route, key) => [...route, isList(valueAt(value, route)) ? Number(key) : key],
    [],
  );
}

function whatIs(route: Route): string {
  return route.length === 0 ? 'the configuration' : `"${route.join('.')}"`;
}

/** Types that are allowed, and the one that stands there. */
function ofType(value: Json, route: Route, { params }: ValidationError): string {
  return `must be ${typeWords(params['type'] as Json)}, but it is ${kindOf(valueAt(value, route) ?? null)}`;
}

function unknownSetting(route: Route, known: readonly string[]): ConfigurationProblem {
  return { route, part: 'key', reason: `"${route.join('.')}" is no setting`, ...nearest(String(route.at(-1)), known) };
}

function unknownReporter(value: Json, index: number): ConfigurationProblem {
  const given = isObject(value) && isList(value['reporters']) ? value['reporters'][index] : undefined;
  const [name = ''] = String(given).split('=', 1);
  return {
    route: ['reporters', index],
    part: 'value',
    reason: `there is no reporter "${name}"`,
    ...nearest(name, reporterNames),
  };
}

/** Names that the schema leaves open: those of lint rules, and those of commands that get defaults. */
async function unknownName({ lint, defaults }: JsonObject): Promise<ConfigurationProblem | undefined> {
  const rules = isObject(lint) ? rulesIn(lint) : [];
  if (rules.length > 0) {
    const { ruleNames } = await import('#compiler/phases/lint/index.ts');
    const unknown = rules.find(({ rule }) => !ruleNames.includes(rule));
    if (unknown !== undefined)
      return {
        route: ['lint', ...unknown.route],
        part: 'key',
        reason: `there is no rule "${unknown.rule}"`,
        ...nearest(unknown.rule, ruleNames),
      };
  }
  return isObject(defaults) && Object.keys(defaults).length > 0 ? unfitDefault(defaults) : undefined;
}

/** Commands and their parameters as the catalogue has them; what holds references is known only in a run. */
async function unfitDefault(defaults: JsonObject): Promise<ConfigurationProblem | undefined> {
  const { catalogue } = await import('#compiler/catalogue.ts');
  const names = Object.keys(defaults);
  const unknown = names.find((name) => !catalogue.has(name));
  if (unknown !== undefined)
    return {
      route: ['defaults', unknown],
      part: 'key',
      reason: `there is no command "${unknown}"`,
      ...nearest(unknown, catalogue.allNames),
    };
  await catalogue.prepare(names);
  for (const name of names) {
    const given = defaults[name];
    const parameters = catalogue.get(name)?.params ?? [];
    for (const [parameter, value] of isObject(given) ? Object.entries(given) : []) {
      const route = ['defaults', name, parameter];
      const known = parameters.find((candidate) => candidate.name === parameter);
      if (!known)
        return {
          route,
          part: 'key',
          reason: `"${name}" has no parameter "${parameter}"`,
          ...nearest(
            parameter,
            parameters.map((candidate) => candidate.name),
          ),
        };
      const errors = holdsReference(value) ? [] : checkSchema(known.schema, value, isMatch);
      const [error] = errors;
      if (error === undefined) continue;
      const inside = routeTo(error, value ?? null);
      const reason =
        error.keyword === 'type' && inside.length === 0
          ? ofType(value ?? null, inside, error)
          : `does not fit: ${unfit(errors)}`;
      return { route, part: 'value', reason: `"${parameter}" of "${name}" ${reason}` };
    }
  }
  return undefined;
}

function holdsReference(value: Json): boolean {
  return /\$\{|\{\{/.test(JSON.stringify(value));
}

function propertiesAt(schema: JsonObject, route: Route): JsonObject {
  const properties = schemaAt(schema, route)['properties'];
  return isObject(properties) ? properties : {};
}

/** The schema of what stands at a route. */
function schemaAt(schema: JsonObject, route: Route): JsonObject {
  return route.reduce<JsonObject>((outer, key) => {
    const { properties, additionalProperties, items } = outer;
    const named = isObject(properties) ? properties[key] : undefined;
    const inner = typeof key === 'number' ? items : (named ?? additionalProperties);
    return isObject(inner) ? inner : {};
  }, schema);
}

/** The rules that a lint configuration names, for all files and for some. */
function rulesIn(lint: JsonObject): readonly { readonly rule: string; readonly route: Route }[] {
  const named = (settings: JsonObject, ...above: readonly string[]) =>
    Object.keys(isObject(settings['rules']) ? settings['rules'] : {}).map((rule) => ({
      rule,
      route: [...above, 'rules', rule],
    }));
  const paths = isObject(lint['paths']) ? Object.entries(lint['paths']) : [];
  return [...named(lint), ...paths.flatMap(([path, own]) => (isObject(own) ? named(own, 'paths', path) : []))];
}
