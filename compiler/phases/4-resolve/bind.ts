import type { Document } from '#grammar/document/document.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Report } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import { isStepOption } from '../1-read/vocabulary.ts';
import type { Step } from '../3-parse/ast.ts';
import { commandPlace, keywordRoute, positionalRoute, stepRoute } from '../3-parse/routes.ts';

import { takesNull, type Signature } from './signature.ts';

export interface Binding {
  readonly document: Document;
  readonly report: Report;
}

/**
 * The arguments of a step by name: positional ones named in the order of the catalogue, `defaults` of `meta` beneath
 * them. Undefined where they do not bind, which has then been reported; unknown names and wrong values are the check's
 * matter.
 */
export function bind(
  step: Step,
  signature: Signature,
  defaults: JsonObject | undefined,
  binding: Binding,
): JsonObject | undefined {
  const { positional, keywords } = step;
  if (positional === undefined) return defaults === undefined ? (keywords ?? NOTHING) : { ...defaults, ...keywords };
  const named = namePositional(step, positional, signature, binding);
  if (named === undefined) return undefined;
  if (keywords !== undefined && givenTwice(step, named, keywords, binding)) return undefined;
  return keywords === undefined && defaults === undefined ? named : { ...defaults, ...named, ...keywords };
}

const NOTHING: JsonObject = Object.freeze({});

function namePositional(
  step: Step,
  values: readonly Json[],
  signature: Signature,
  binding: Binding,
): Record<string, Json> | undefined {
  const { positional, variadic } = signature;
  const options = variadic === undefined ? optionsBehind(values, signature) : undefined;
  if (options !== undefined) {
    optionsAmong(step, values, options, binding);
    return undefined;
  }
  if (variadic === undefined && values.length > positional.length) {
    tooMany(step, values, signature, binding);
    return undefined;
  }
  const named: Record<string, Json> = {};
  for (let index = 0; index < values.length; index += 1) {
    const parameter = positional[index];
    const value = values[index] ?? null;
    if (parameter === undefined) break;
    if (parameter === variadic) {
      named[parameter.name] = values.slice(index);
      break;
    }
    // `null` means "not given" where the parameter does not take null (`compiler/language/steps.md`).
    if (value !== null || takesNull(parameter)) named[parameter.name] = value;
  }
  return named;
}

function tooMany(step: Step, values: readonly Json[], signature: Signature, { document, report }: Binding): void {
  const { positional, info } = signature;
  const source = document.source;
  const first = positional[0];
  const byName = info.params.filter((each) => each.keyword_only === true).map(({ name }) => name);
  if (first === undefined && byName.length === 0) {
    report(
      d.noParametersTaken({
        at: { source, route: positionalRoute(step, document, 0), part: 'value' },
        command: info.name,
      }),
    );
    return;
  }
  const route = positionalRoute(step, document, positional.length);
  const at = { source, route, part: 'value' } as const;
  const names = positional.map(({ name }) => name).join(', ') || 'none';
  const fixes = isOneList(step, values, signature) ? [wrapInList(step, values)] : [];
  report(
    d.tooManyPositional({
      at,
      command: info.name,
      count: values.length,
      most: positional.length,
      parameters: byName.length === 0 ? names : `${names}; by name only: ${byName.join(', ')}`,
      fixes,
    }),
  );
}

/**
 * The last object where it holds nothing but step options and stands in no place for an object
 * (`[a.txt, { timeout_s: 5 }]`).
 */
function optionsBehind(values: readonly Json[], { positional }: Signature): JsonObject | undefined {
  const last = values.at(-1);
  if (!isObject(last) || values.length > positional.length + 1) return undefined;
  const keys = Object.keys(last);
  if (keys.length === 0 || !keys.every(isStepOption)) return undefined;
  const type = positional[values.length - 1]?.schema['type'];
  const isPlace = values.length <= positional.length;
  return isPlace && (type === undefined || [type].flat().includes('object')) ? undefined : last;
}

function optionsAmong(step: Step, values: readonly Json[], options: JsonObject, { document, report }: Binding): void {
  const [option = ''] = Object.keys(options);
  const route = [...positionalRoute(step, document, values.length - 1), option];
  const at = { source: document.source, route, part: 'key' } as const;
  report(d.optionAmongParameters({ at, option, command: step.command, fixes: besideCommand(step, values, options) }));
}

/** Arrays have no place for options behind positional parameters: the object form has one. */
function besideCommand(step: Step, values: readonly Json[], options: JsonObject): readonly Fix[] {
  const title = 'make it a step option, in the object form';
  const parameters = values.slice(0, -1);
  if (step.form === 'array' && step.keywords === undefined) {
    const value = { [step.command]: parameters, ...options };
    return [{ title, safety: 'safe', operations: [{ kind: 'replace', route: stepRoute(step), value }] }];
  }
  if (step.form !== 'object' || step.options !== undefined) return [];
  const route = stepRoute(step);
  const operations = [
    { kind: 'replace', route: [...route, step.command], value: parameters } as const,
    ...Object.entries(options).map(([key, value]) => ({ kind: 'insert', route, key, value }) as const),
  ];
  return [{ title: 'make it a step option', safety: 'safe', operations }];
}

/** Whether the values fit whole as the one list parameter (`FA_run_shell: [ls, -l]`), by the type of its items. */
function isOneList({ keywords }: Step, values: readonly Json[], { positional }: Signature): boolean {
  const { type, items } = positional[0]?.schema ?? {};
  const takesList = type === 'array' || (isList(type) && type.includes('array'));
  const item = isObject(items) ? items['type'] : undefined;
  return takesList && keywords === undefined && values.every((value) => typeof value === item);
}

export function wrapInList(step: Step, values: readonly Json[]): Fix {
  const route = step.form === 'array' ? [...stepRoute(step), 1] : [...stepRoute(step), step.command];
  return { title: 'write it as one list', safety: 'safe', operations: [{ kind: 'replace', route, value: [values] }] };
}

function givenTwice(step: Step, named: JsonObject, keywords: JsonObject, { document, report }: Binding): boolean {
  let twice = false;
  for (const name of Object.keys(keywords)) {
    if (!Object.hasOwn(named, name)) continue;
    twice = true;
    const position = Object.keys(named).indexOf(name);
    const related = [
      { source: document.source, route: positionalRoute(step, document, position), part: 'value' as const },
    ];
    report(
      d.parameterGivenTwice({
        at: { source: document.source, route: keywordRoute(step, name), part: 'key' },
        parameter: name,
        command: step.command,
        related,
      }),
    );
  }
  return twice;
}

export function commandLabel(step: Step, document: Document) {
  const place = commandPlace(step);
  return { source: document.source, route: place.route, part: place.part };
}
