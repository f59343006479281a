import { didYouMean, isSlip } from '#compiler/did-you-mean.ts';
import type { Document } from '#grammar/document/document.ts';
import { cutText } from '#grammar/source/cut-text.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Parameter } from '#schemas/types/command.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import type { Route } from '#schemas/types/place.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';

import { betweenCurlyQuotes } from '../3-parse/curly-quotes.ts';
import { kindOf, quoted } from '../3-parse/fields.ts';
import { inSeconds } from '../3-parse/in-seconds.ts';
import { countMeant, writing } from '../3-parse/meant.ts';
import { typeWords } from '../3-parse/type-words.ts';
import type { Step } from '../3-parse/ast.ts';
import { isStepOption } from '../1-read/vocabulary.ts';
import { stepRoute } from '../3-parse/routes.ts';
import { intoParameters } from '../4-resolve/beside.ts';
import { commandLabel, wrapInList } from '../4-resolve/bind.ts';
import { argumentRoute, type Call } from '../4-resolve/resolved.ts';
import type { Signature } from '../4-resolve/signature.ts';
import type { KnownValue } from '../4-resolve/value-type.ts';

import type { Problem } from './answer.ts';
import { readerOf } from './file-meant.ts';
import { methodAndAddress } from './method-and-address.ts';
import { itemsMeant } from './items-meant.ts';
import { isMissing, isUnknown, meantNames, type Meant } from './meant-names.ts';
import { patternWords } from './pattern-words.ts';
import { selectorInParts } from './selector-in-parts.ts';
import { variableAsPair } from './variable-as-pair.ts';
import { fits, type Walk } from './walker.ts';
import { isLine, wordsMeant, wordsOfLine } from './words-meant.ts';

/**
 * Says in our own words what does not fit; the route of a problem begins with the parameter. Where the positional
 * values fit whole as the one list parameter, that is said and nothing else.
 */
export function explainCall(
  problems: readonly Problem[],
  call: Call,
  document: Document,
  walk: Walk,
  types?: ReadonlyMap<string, KnownValue>,
): readonly Diagnostic[] {
  const first = problems.find((problem) => wantsList(problem, call));
  const fix = first === undefined ? undefined : listFix(call.step, call.signature, walk);
  if (first !== undefined && fix !== undefined) return [explain(first, call, document, [fix])];
  const pair = variableAsPair(call, document);
  if (pair !== undefined) return [pair];
  const request = methodAndAddress(call);
  const method = request && problems.find(({ route: [name] }) => name === 'http_method');
  if (request !== undefined && method !== undefined) return [explain(method, call, document, [request])];
  const selector = selectorInParts(problems, call, document);
  if (selector !== undefined) return [selector.said, ...explainCall(selector.others, call, document, walk, types)];
  const meant = meantNames(problems, call, walk);
  const told = new Set([...meant.values()].map(({ parameter }) => parameter));
  const others = problems.filter((problem) => !(isMissing(problem) && told.has(String(problem.wanted))));
  return others.map((problem) => {
    const places = problem.is === undefined ? [] : (types?.get(String(problem.actual))?.places() ?? []);
    const said = isUnknown(problem)
      ? unknownParameter(String(problem.route[0]), call, document, meant.get(String(problem.route[0])))
      : explain(problem, call, document, []);
    return places.length === 0 ? said : { ...said, related: [...said.related, ...places] };
  });
}

function explain(problem: Problem, call: Call, document: Document, fixes: readonly Fix[]): Diagnostic {
  const [parameter, ...inside] = problem.route;
  const command = call.signature.info.name;
  if (parameter === undefined) return missingParameter(problem, call, document);
  const at: Label = {
    source: document.source,
    route: [...argumentRoute(call, String(parameter), document), ...inside],
    part: 'value',
  };
  const declared = call.signature.parameters.get(String(parameter));
  const isSecret = declared?.secret === true;
  return explainValue(problem, {
    at,
    command,
    parameter: spoken([String(parameter), ...inside]),
    fixes:
      fixes.length > 0 || isSecret
        ? fixes
        : [
            ...otherType(problem, at.route, document),
            ...durationMeant(problem, at.route, call.signature.parameters.get(String(parameter))),
            ...straightQuotes(problem, at.route),
            ...itemsMeant(problem, at.route, command, call.args['as']),
            ...timesMeant(problem, at.route),
            ...(call.step.keywords === undefined ? [] : wordsMeant(problem, at.route)),
          ],
    isSecret,
    about: inside.length === 0 ? declared?.about : undefined,
  });
}

/** A number or a boolean that was written as text, or a text as one of these. */
function otherType({ keyword, wanted, actual }: Problem, route: Route, document: Document): readonly Fix[] {
  if (keyword !== 'type') return [];
  const types = isList(wanted) ? wanted : [wanted];
  const value =
    typeof actual === 'string' ? meantBy(actual.trim().toLowerCase(), types) : inQuotes(actual, types, route, document);
  if (value === undefined) return [];
  return [{ title: `write ${JSON.stringify(value)}`, safety: 'safe', operations: [{ kind: 'replace', route, value }] }];
}

/** `30s` and `500 ms`, as the number that the parameter counts. */
function durationMeant(
  { keyword, actual, route }: Problem,
  at: Route,
  parameter: Parameter | undefined,
): readonly Fix[] {
  const unit = parameter?.unit ?? (parameter?.name.endsWith('_s') === true ? 'seconds' : undefined);
  if (keyword !== 'type' || unit === undefined || route.length > 1 || typeof actual !== 'string') return [];
  const seconds = /[a-z]$/.test(actual) ? inSeconds(actual, 1) : undefined;
  if (seconds === undefined) return [];
  return writing(at, unit === 'seconds' ? seconds : Math.round(seconds * 1000), 'safe').fixes;
}

/** `3 times`, as the number that it counts. */
function timesMeant({ keyword, wanted, actual }: Problem, route: Route): readonly Fix[] {
  const isCount = keyword === 'type' && (isList(wanted) ? wanted : [wanted]).includes('integer');
  return isCount && typeof actual === 'string' && /\D$/.test(actual) ? (countMeant(actual, route)?.fixes ?? []) : [];
}

/** The text that a number or a boolean is as it is written: `1.10` keeps its zero. */
function inQuotes(actual: Json, types: readonly Json[], route: Route, document: Document): string | undefined {
  if (!types.includes('string') || (typeof actual !== 'number' && typeof actual !== 'boolean')) return undefined;
  const { start, end } = document.spanAt(route);
  const written = document.text.slice(start, end);
  return document.isAliased(route) || !/^[\w.+-]+$/.test(written) ? undefined : written;
}

/** Curly quotation marks begin no text in YAML: they are part of it. */
function straightQuotes({ actual }: Problem, route: Route): readonly Fix[] {
  const inside = typeof actual === 'string' ? betweenCurlyQuotes(actual) : undefined;
  if (inside === undefined) return [];
  return [
    {
      title: 'leave out the curly quotation marks, which are part of the text',
      safety: 'safe',
      operations: [{ kind: 'replace', route, value: inside }],
    },
  ];
}

function meantBy(text: string, types: readonly Json[]): number | boolean | undefined {
  if (types.includes('boolean') && ['yes', 'true', 'on'].includes(text)) return true;
  if (types.includes('boolean') && ['no', 'false', 'off'].includes(text)) return false;
  const isNumber = types.includes('number') ? /^-?\d{1,15}(?:\.\d{1,9})?$/ : /^-?\d{1,15}$/;
  return (types.includes('number') || types.includes('integer')) && isNumber.test(text) ? Number(text) : undefined;
}

/** `headers["x y"][0].name`: a route as people write it. */
export function spoken(route: readonly (string | number)[]): string {
  return route.reduce<string>((text, piece) => {
    if (typeof piece === 'number') return `${text}[${piece}]`;
    if (!/^[A-Za-z_$][\w$-]*$/.test(piece)) return `${text}[${JSON.stringify(piece)}]`;
    return text === '' ? piece : `${text}.${piece}`;
  }, '');
}

function missingParameter({ wanted }: Problem, call: Call, document: Document): Diagnostic {
  const name = String(wanted);
  const about = call.signature.parameters.get(name)?.about;
  const { step } = call;
  const isBeside = step.form === 'object' && isStepOption(name) && step.options?.[name] !== undefined;
  const to = [...stepRoute(step), step.command];
  const fixes: readonly Fix[] = [
    {
      title: 'move it into the parameters',
      safety: 'unsafe',
      operations: intoParameters([name], stepRoute(step), to, document),
    },
  ];
  return d.missingParameter({
    at: commandLabel(step, document),
    command: call.signature.info.name,
    parameter: name,
    about,
    ...(isBeside && step.positional === undefined && { beside: name, fixes }),
  });
}

function unknownParameter(name: string, call: Call, document: Document, meant: Meant | undefined): Diagnostic {
  const { step, signature } = call;
  const command = signature.info.name;
  const route = argumentRoute(call, name, document);
  const at: Label = { source: document.source, route, part: 'key' };
  if (isStepOption(name) && step.keywords !== undefined && Object.hasOwn(step.keywords, name)) {
    return d.optionAmongParameters({ at, option: name, command, fixes: moveOut(name, call, route) });
  }
  const names = [...signature.parameters.keys()];
  if (names.length === 0) return d.noParametersTaken({ at, command });
  return d.unknownParameter({
    at,
    command,
    parameter: name,
    allowed: quoted(names),
    nearest: meant?.parameter,
    fixes: meant?.isClear ? renamed(name, meant.parameter, call, route) : [],
  });
}

/** The nearest name, where the call does not give that one too. */
function renamed(name: string, nearest: string, { args, signature }: Call, route: Route): readonly Fix[] {
  if (Object.hasOwn(args, nearest)) return [];
  const safety = isSlip(name, didYouMean(name, signature.parameters.keys())) ? 'safe' : 'unsafe';
  return [{ title: `rename it to "${nearest}"`, safety, operations: [{ kind: 'rename-key', route, key: nearest }] }];
}

/** A step option stands beside the command, or in the third element. */
function moveOut(option: string, { step, signature }: Call, route: readonly (string | number)[]): readonly Fix[] {
  const title = 'make it a step option';
  const action = stepRoute(step);
  if (step.form === 'object')
    return [{ title, safety: 'safe', operations: [{ kind: 'move', route, to: action, key: option }] }];
  if (step.form !== 'array') return [];
  if (step.positional !== undefined) return asObject(step, step.positional, signature);
  if (step.options !== undefined)
    return [{ title, safety: 'safe', operations: [{ kind: 'move', route, to: [...action, 2], key: option }] }];
  const value = step.keywords?.[option] ?? null;
  return [
    {
      title,
      safety: 'safe',
      operations: [
        { kind: 'remove', route },
        { kind: 'insert', route: action, key: 2, value: { [option]: value } },
      ],
    },
  ];
}

/** Behind positional parameters there is no place for step options: the object form has one. */
function asObject(step: Step, positional: readonly Json[], signature: Signature): readonly Fix[] {
  const keywords = Object.entries(step.keywords ?? {});
  const options = keywords.filter(([key]) => isStepOption(key) && !signature.parameters.has(key));
  const others = keywords.filter((entry) => !options.includes(entry));
  const names = signature.positional.map(({ name }) => name);
  if (others.length > 0 && (signature.variadic !== undefined || positional.length > names.length)) return [];
  const named = positional.map((value, index): [string, Json] => [names[index] ?? '', value]);
  const given = named.filter(([, value]) => value !== null);
  const parameters = others.length === 0 ? positional : Object.fromEntries([...given, ...others]);
  const value = { [step.command]: parameters, ...Object.fromEntries(options) };
  return [
    {
      title: 'make it a step option, in the object form',
      safety: 'safe',
      operations: [{ kind: 'replace', route: stepRoute(step), value }],
    },
  ];
}

export interface Said {
  readonly at: Label;
  readonly command: string;
  readonly parameter: string;
  readonly fixes: readonly Fix[];
  /** The value stands in no message. */
  readonly isSecret: boolean;
  /** Declaration of the parameter in words, where a fix cannot show what is meant. */
  readonly about?: string | undefined;
}

function readingAdvice(reader: string | undefined): string | undefined {
  return (
    reader &&
    `Read the file by a step before, \`${reader}\` with \`save_as: document\`, and write \`"{{document}}"\` here.`
  );
}

/** The words for a value that does not fit; `parameter` of `command` is what it is called. */
export function explainValue(problem: Problem, said: Said): Diagnostic {
  const { keyword, wanted, actual } = problem;
  const shown = said.isSecret ? kindOf : shownValue;
  const limit = typeof wanted === 'number' ? wanted : 0;
  switch (keyword) {
    case 'type':
      return d.wrongType({
        ...said,
        expected: typeWords(wanted),
        actual:
          problem.is === undefined || said.isSecret
            ? shown(actual)
            : `${JSON.stringify(actual)}, which is ${typeWords([...problem.is])}`,
        advice: said.isSecret ? said.about : readingAdvice(readerOf(actual, wanted)),
      });
    case 'enum':
      return d.notOneOf({
        ...said,
        actual: shown(actual),
        allowed: allowedWords(wanted),
        nearest: nearestValue(actual, wanted),
      });
    case 'minimum':
      return d.numberTooSmall({ ...said, bound: 'at least', limit, actual: shown(actual) });
    case 'exclusiveMinimum':
      return d.numberTooSmall({ ...said, bound: 'above', limit, actual: shown(actual) });
    case 'maximum':
      return d.numberTooLarge({ ...said, bound: 'at most', limit, actual: shown(actual) });
    case 'exclusiveMaximum':
      return d.numberTooLarge({ ...said, bound: 'below', limit, actual: shown(actual) });
    case 'multipleOf':
      return d.notAMultiple({ ...said, step: limit, actual: shown(actual) });
    case 'minLength':
      return d.textTooShort({ ...said, limit, actual: length(actual) });
    case 'maxLength':
      return d.textTooLong({ ...said, limit, actual: length(actual) });
    case 'pattern':
      return notOfPattern(problem, said, shown(actual));
    case 'format':
      return d.formatMismatch({ ...said, format: String(wanted), actual: shown(actual) });
    case 'minItems':
      return d.tooFewItems({ ...said, limit, actual: length(actual) });
    case 'maxItems':
      return d.tooManyItems({ ...said, limit, actual: length(actual) });
    case 'uniqueItems':
      return d.repeatedItem({ ...said, parameter: ownerOf(problem) });
    case 'required':
      return d.missingField({ ...said, field: String(wanted) });
    case 'additionalProperties':
      return fieldNotTaken(problem, said);
    case 'minProperties':
      return d.numberOfFields({ ...said, bound: 'at least', limit, actual: length(actual) });
    case 'maxProperties':
      return d.numberOfFields({ ...said, bound: 'at most', limit, actual: length(actual) });
    case 'propertyNames':
      return badFieldName(problem, said);
    case 'oneOf':
      return d.severalFormsFit(said);
    // The closed keyword set has no other: a keyword that is added must be given words here.
    default:
      throw new Error(`no words for the schema keyword "${keyword}"`);
  }
}

/** A pattern that lists words is told as these words. */
function notOfPattern({ wanted, actual }: Problem, said: Said, shown: string): Diagnostic {
  const allowed = patternWords(String(wanted));
  if (allowed === undefined) return d.patternMismatch({ ...said, form: `match ${String(wanted)}`, actual: shown });
  if (allowed.kind === 'beginning')
    return d.patternMismatch({ ...said, form: `begin with ${inWords(allowed.words)}`, actual: shown });
  // Hints keep back the value alone: words that are allowed are no secret.
  const nearest = said.isSecret ? undefined : nearestValue(actual, allowed.words);
  return d.notOneOf({ ...said, actual: shown, allowed: allowedWords(allowed.words), nearest });
}

/** Form that a name must have, by its pattern, in words. */
function formOf(pattern: string): string {
  const allowed = patternWords(pattern);
  if (allowed === undefined) return pattern;
  return allowed.kind === 'whole' ? inWords(allowed.words) : `a name that begins with ${inWords(allowed.words)}`;
}

function inWords(words: readonly string[]): string {
  const quoted = words.map((word) => JSON.stringify(word));
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1) ?? ''}`;
}

/** The object that a field belongs to. */
function ownerOf({ route }: Problem): string {
  return spoken(route.slice(0, -1));
}

function fieldNotTaken(problem: Problem, said: Said): Diagnostic {
  const allowed = isList(problem.wanted) ? problem.wanted.map(String) : [];
  const field = String(problem.route.at(-1));
  return d.fieldNotTaken({
    ...said,
    at: { ...said.at, part: 'key' },
    parameter: ownerOf(problem),
    field,
    allowed: quoted(allowed),
    nearest: didYouMean(field, allowed)[0],
  });
}

function badFieldName(problem: Problem, said: Said): Diagnostic {
  const wanted = isList(problem.wanted) ? allowedWords(problem.wanted) : formOf(String(problem.wanted));
  return d.badFieldName({
    ...said,
    at: { ...said.at, part: 'key' },
    parameter: ownerOf(problem),
    field: String(problem.actual),
    wanted,
  });
}

/** A value as a message shows it: short ones as JSON, others by what they are. */
function shownValue(value: Json): string {
  if (isList(value) || isObject(value)) return kindOf(value);
  if (typeof value !== 'string') return String(value);
  return `the text ${JSON.stringify(cutText(value, 60))}`;
}

function allowedWords(wanted: Json): string {
  return isList(wanted) ? wanted.map((value) => JSON.stringify(value)).join(', ') : JSON.stringify(wanted);
}

function nearestValue(actual: Json, wanted: Json): string | undefined {
  if (typeof actual !== 'string' || !isList(wanted)) return undefined;
  const [nearest] = didYouMean(
    actual,
    wanted.filter((value) => typeof value === 'string'),
  );
  return nearest === undefined ? undefined : JSON.stringify(nearest);
}

function length(value: Json): number {
  if (typeof value === 'string') return [...value].length;
  if (isList(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 0;
}

/** A text where a list is wanted: the positional list was meant whole (`FA_run_shell: [ls, -l]`). */
function wantsList({ keyword, wanted, route }: Problem, { signature }: Call): boolean {
  const first: Parameter | undefined = signature.positional[0];
  return (
    keyword === 'type' && route.length === 1 && route[0] === first?.name && isList(wanted) && wanted.includes('array')
  );
}

function listFix(step: Step, { positional: [first] }: Signature, walk: Walk): Fix | undefined {
  const { positional, keywords } = step;
  if (first === undefined || positional === undefined || keywords !== undefined) return undefined;
  const [only, second] = positional;
  // A program with its arguments in one text is no program of that name.
  const values = second === undefined && isLine(first.name, only) ? wordsOfLine(only) : positional;
  return values === undefined || fits(first.schema, values, walk).answer === 'no'
    ? undefined
    : wrapInList(step, values);
}
