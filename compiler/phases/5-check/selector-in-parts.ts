import type { Document } from '#grammar/document/document.ts';
import { selectorOfCall } from '#grammar/selector/other-tools.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Fix, TreeOperation } from '#schemas/types/fix.ts';
import { isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import { kindOf, quoted } from '../3-parse/fields.ts';
import { stepRoute } from '../3-parse/routes.ts';
import { argumentRoute, type Call } from '../4-resolve/resolved.ts';

import type { Problem } from './answer.ts';
import { isMissing, isUnknown } from './meant-names.ts';

/** Calls of Playwright and Testing Library that find an element, by the key that people make of them. */
const CALLS: Readonly<Record<string, string>> = {
  alttext: 'getByAltText',
  label: 'getByLabel',
  placeholder: 'getByPlaceholder',
  role: 'getByRole',
  testid: 'getByTestId',
  text: 'getByText',
  title: 'getByTitle',
};

/** A selector that is given as an object or as parameters of the call: `{role: button, name: Save}`. */
export interface SelectorInParts {
  readonly said: Diagnostic;
  /** Problems of the call that have another cause. */
  readonly others: readonly Problem[];
}

/** The finding for a selector in parts; undefined where the call has none. */
export function selectorInParts(
  problems: readonly Problem[],
  call: Call,
  document: Document,
): SelectorInParts | undefined {
  const [parameter] = call.signature.languages.filter(({ language }) => language === 'selector');
  if (parameter === undefined) return undefined;
  return asObject(problems, parameter.name, call, document) ?? asParameters(problems, parameter.name, call, document);
}

function asObject(problems: readonly Problem[], parameter: string, call: Call, document: Document) {
  const whole = problems.find(
    ({ keyword, route }) => keyword === 'type' && route.length === 1 && route[0] === parameter,
  );
  const written = call.args[parameter] ?? null;
  const parts = whole === undefined || !isObject(written) ? undefined : partsOf(written);
  if (parts === undefined || Object.keys(written as JsonObject).some((key) => !parts.keys.includes(key)))
    return undefined;
  const route = argumentRoute(call, parameter, document);
  const operations = [{ kind: 'replace', route, value: parts.selector }] as const;
  const said = d.wrongType({
    at: { source: document.source, route, part: 'value' },
    parameter,
    command: call.signature.info.name,
    expected: 'text',
    actual: kindOf(written),
    advice: undefined,
    fixes: [{ title: `write ${parts.selector}`, safety: 'unsafe', operations }],
  });
  return { said, others: problems.filter((problem) => problem !== whole) };
}

function asParameters(problems: readonly Problem[], parameter: string, call: Call, document: Document) {
  const { keywords } = call.step;
  const unknown = problems.filter(isUnknown).map(({ route: [name] }) => String(name));
  const given = Object.entries(keywords ?? {}).filter(([name]) => unknown.includes(name));
  const parts = Object.hasOwn(call.args, parameter) ? undefined : partsOf(Object.fromEntries(given));
  const [first, ...others] = parts?.keys ?? [];
  if (parts === undefined || first === undefined || keywords === undefined) return undefined;
  const at = (key: string) =>
    ({ source: document.source, route: argumentRoute(call, key, document), part: 'key' }) as const;
  const said = d.unknownParameter({
    at: at(first),
    related: others.map(at),
    command: call.signature.info.name,
    parameter: first,
    allowed: quoted([...call.signature.parameters.keys()]),
    nearest: parameter,
    fixes: [inOneText(parameter, parts, keywords, call)],
  });
  const isTold = (problem: Problem): boolean =>
    isUnknown(problem)
      ? parts.keys.includes(String(problem.route[0]))
      : isMissing(problem) && problem.wanted === parameter;
  return { said, others: problems.filter((problem) => !isTold(problem)) };
}

interface Parts {
  readonly keys: readonly string[];
  readonly selector: string;
}

/** The selector that keys stand for, with `name` beside a role. */
function partsOf(written: JsonObject): Parts | undefined {
  const keys = Object.keys(written).filter((key) => callOf(key) !== undefined);
  const [key = '', another] = keys;
  const argument = written[key];
  const name: Json | undefined = callOf(key) === 'getByRole' ? written['name'] : undefined;
  if (another !== undefined || typeof argument !== 'string') return undefined;
  const selector = selectorOfCall(callOf(key) ?? '', argument, typeof name === 'string' ? name : undefined);
  return selector === undefined ? undefined : { selector, keys: typeof name === 'string' ? [key, 'name'] : [key] };
}

function callOf(key: string): string | undefined {
  const word = key
    .toLowerCase()
    .replaceAll(/[-_]/g, '')
    .replace(/^getby/, '');
  return Object.hasOwn(CALLS, word) ? CALLS[word] : undefined;
}

/** Comments between the parameters are lost. */
function inOneText(parameter: string, { keys, selector }: Parts, keywords: JsonObject, { step }: Call): Fix {
  const rest = Object.entries(keywords).filter(([key]) => !keys.includes(key));
  const value = { [parameter]: selector, ...Object.fromEntries(rest) };
  const route = [...stepRoute(step), step.form === 'array' ? (step.positional === undefined ? 1 : 2) : step.command];
  const operations: readonly TreeOperation[] = [{ kind: 'replace', route, value }];
  return { title: `write ${parameter}: ${selector}`, safety: 'unsafe', operations };
}
