import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { ValidationError } from '#schemas/types/validation.ts';
import { metaKey, type Input, type Places, type Unit } from '#schemas/types/plan.ts';

import type { RunView } from '../contract.ts';
import type { CheckSchema } from '../linked.ts';
import type { Given } from '../options.ts';
import type { RunState } from '../run-state.ts';
import type { Scope } from '../scope.ts';

/** Faults of input from outside, before anything runs: values that the units ask for, a named environment file. */
export async function checkInputs(run: RunState): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  if (!import.meta.withoutEnvironment) {
    const path = run.options.environment?.file;
    if (path !== undefined && (await run.host.files.find(path))?.kind !== 'file')
      failures.push(fail.environmentFileMissing({ path }));
  }
  if (!import.meta.withoutVariables)
    for (const unit of run.program.plan.units) failures.push(...(await problemsOf(unit, run)));
  return failures;
}

async function problemsOf(unit: Unit, run: RunState): Promise<readonly Failure[]> {
  if (unit.sessions && unit.sessions.length > 0)
    return [
      placed(
        fail.sessionsNotBrought({ file: unit.source, sessions: unit.sessions.join(', ') }),
        run.program.places,
        metaKey(unit.source, 'sessions'),
      ),
    ];
  if (unit.inputs.length === 0) return [];
  const check = await run.program.parts?.inputs?.();
  return unit.inputs.flatMap((input) => {
    const failure = problem(run, input, unit, check);
    return failure ? placed(failure, run.program.places, metaKey(unit.source, `inputs.${input.name}`)) : [];
  });
}

function problem(run: RunView, input: Input, unit: Unit, check: CheckSchema | undefined): Failure | undefined {
  const given = own(run.options.variables, input.name);
  const where = { name: input.name, file: unit.source };
  // A unit that this one depends on may still define it.
  if (!given) return input.default === undefined && unit.after.length === 0 ? fail.inputNotGiven(where) : undefined;
  const regex = run.values.regex(run.host);
  try {
    const isMatch = (pattern: string, text: string): boolean => regex.match(pattern, 'u', text) !== null;
    const findingsOf = (value: Json): readonly ValidationError[] => check?.(input.schema, value, isMatch) ?? [];
    const findings = findingsOf(valueOf(run, given, input.schema));
    if (findings.length === 0) return undefined;
    const isMeantAsJson = 'text' in given && (takesNoText(findings) || fitsAsJson(given.text, findingsOf));
    const hint = isMeantAsJson ? `give it as JSON: \`--var ${input.name}:=VALUE\`` : undefined;
    return fail.inputUnfit({ ...where, reason: run.values.unfit(findings), hint });
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Whether what was asked for instead of text is a list or an object, which only JSON can give. */
function takesNoText(findings: readonly ValidationError[]): boolean {
  const types = findings.flatMap(({ instancePath, keyword, params }) =>
    instancePath === '' && keyword === 'type' ? [params['type']].flat() : [],
  );
  return types.some((type) => type === 'array' || type === 'object');
}

function fitsAsJson(text: string, findingsOf: (value: Json) => readonly ValidationError[]): boolean {
  try {
    return findingsOf(JSON.parse(text) as Json).length === 0;
  } catch {
    return false;
  }
}

/** The failure with the place at which the file asks for what is missing; a plan that came without places has none. */
function placed(failure: Failure, places: Places, key: string): Failure {
  const found = Object.hasOwn(places, key) ? places[key] : undefined;
  if (!found) return failure;
  const { file, line, column } = found;
  return new Failure(failure.facts, { ...failure.options, place: { file, line, column } });
}

/** Inputs may be called like what every object knows. */
function own(variables: Readonly<Record<string, Given>> | undefined, name: string): Given | undefined {
  return variables !== undefined && Object.hasOwn(variables, name) ? variables[name] : undefined;
}

/** Puts the values from outside into a unit's variables: those given, then defaults of its inputs. */
export function defineInputs(unit: Unit, scope: Scope, run: RunView): Failure | undefined {
  const secret = new Set(unit.inputs.filter((input) => input.secret).map((input) => input.name));
  for (const [name, given] of Object.entries(run.options.variables ?? {})) {
    const input = unit.inputs.find((known) => known.name === name);
    define(scope, run, name, input ? valueOf(run, given, input.schema) : raw(given), secret.has(name), 'text' in given);
  }
  return defineDefaults(unit, scope, run);
}

/** Gives a unit's inputs their defaults where no variable has their names; fails for one without. */
export function defineDefaults(
  { inputs, source }: Pick<Unit, 'inputs' | 'source'>,
  scope: Scope,
  run: RunView,
): Failure | undefined {
  for (const input of inputs) {
    const known = scope.find(input.name);
    if (known && input.secret && !known.secret) define(scope, run, input.name, known.value, true, known.text);
    if (known) continue;
    if (input.default === undefined) return fail.inputNotGiven({ name: input.name, file: source });
    define(scope, run, input.name, input.default, input.secret, false);
  }
  return undefined;
}

function define(scope: Scope, run: RunView, name: string, value: unknown, secret: boolean, text: boolean): void {
  if (secret) run.masker.add(value);
  scope.define(name, value, { secret, text: text && typeof value === 'string' });
}

function valueOf(run: RunView, given: Given, schema: JsonObject): Json {
  return 'text' in given && takesOnlyScalars(schema) ? (run.values.readScalar(given.text) as Json) : raw(given);
}

function raw(given: Given): Json {
  return 'text' in given ? given.text : given.json;
}

/** Whether a schema takes numbers or booleans but no text. */
function takesOnlyScalars({ type }: JsonObject): boolean {
  const types = Array.isArray(type) ? type : [type];
  return (
    types.some((name) => name === 'number' || name === 'integer' || name === 'boolean') &&
    !types.includes('string') &&
    type !== undefined
  );
}
