import type { CompileContext } from '#compiler/context.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Label } from '#schemas/types/diagnostic.ts';

import type { ActionFile, WrittenInput } from '../3-parse/ast.ts';
import { quoted } from '../3-parse/fields.ts';

import { explainValue } from './explain.ts';
import { fits, LITERAL } from './walker.ts';

/** JSON Schema 2020-12 as far as everything knows it (`schemas/meta/command.schema.json`). */
const KEYWORDS: readonly string[] = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'type',
  'enum',
  'const',
  'anyOf',
  'oneOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'contentEncoding',
  'contentMediaType',
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  'uniqueItems',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
];

/** Holds the schemas of `meta.inputs` to the known keywords, and their defaults to the schemas. */
export function inputsFit({ document, meta }: ActionFile, { report }: CompileContext): void {
  for (const input of meta.inputs ?? []) {
    const at = (...inside: readonly (string | number)[]): Label => ({
      source: document.source,
      route: ['meta', 'inputs', input.name, ...inside],
      part: 'value',
    });
    const unknown = unknownKeyword(input.schema, []);
    if (unknown !== undefined) {
      report(
        d.inputSchema({
          at: { ...at(...unknown), part: 'key' },
          input: input.name,
          keyword: String(unknown.at(-1)),
          allowed: quoted(KEYWORDS),
        }),
      );
    } else if (input.default !== undefined) defaultFits(input, at('default'), report);
  }
}

function defaultFits(
  { name, schema, default: value, secret }: WrittenInput,
  at: Label,
  report: CompileContext['report'],
): void {
  const [problem] = fits(schema, value ?? null, LITERAL).problems;
  if (problem !== undefined)
    report(
      explainValue(problem, {
        at: { ...at, route: [...at.route, ...problem.route] },
        command: name,
        parameter: 'default',
        fixes: [],
        isSecret: secret,
      }),
    );
}

/** The route to the first keyword that is not known. */
function unknownKeyword(
  schema: JsonObject,
  route: readonly (string | number)[],
): readonly (string | number)[] | undefined {
  for (const [keyword, value] of Object.entries(schema)) {
    if (!KEYWORDS.includes(keyword)) return [...route, keyword];
    const inside = insideOf(keyword, value).map(([piece, child]) =>
      isObject(child) ? unknownKeyword(child, [...route, keyword, ...piece]) : undefined,
    );
    const found = inside.find((each) => each !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The schemas inside a keyword. */
function insideOf(keyword: string, value: Json): readonly (readonly [readonly (string | number)[], Json])[] {
  switch (keyword) {
    case 'items':
    case 'additionalProperties':
    case 'propertyNames':
      return [[[], value]];
    case 'anyOf':
    case 'oneOf':
    case 'prefixItems':
      return isList(value) ? value.map((child, index) => [[index], child] as const) : [];
    case 'properties':
      return isObject(value) ? Object.entries(value).map(([name, child]) => [[name], child] as const) : [];
    default:
      return [];
  }
}
