import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { parseJson } from '#stdlib/http/parse-json.ts';

/**
 * A contract of file format version 3 or 4 in the form of version 2, whose rules then know more kinds of matching;
 * any other value stays as it is. What does not fit stays too: whoever reads the contract tells it at its place.
 */
export function inVersion2(value: Json): Json {
  if (!isObject(value) || !Array.isArray(value['interactions']) || versionOf(value) < 3) return value;
  return { ...value, interactions: value['interactions'].map((one: Json) => (isObject(one) ? interaction(one) : one)) };
}

function versionOf({ metadata }: JsonObject): number {
  if (!isObject(metadata)) return 2;
  const said = metadata['pactSpecification'] ?? metadata['pact-specification'];
  return Number.parseInt(String(isObject(said) ? said['version'] : 2), 10);
}

function interaction({ request, response, ...others }: JsonObject): JsonObject {
  return {
    ...others,
    ...(request === undefined ? {} : { request: message(request) }),
    ...(response === undefined ? {} : { response: message(response) }),
  };
}

function message(value: Json): Json {
  if (!isObject(value)) return value;
  const { query, headers, body, matchingRules: rules, ...others } = value;
  const said = bodyOf(body);
  const names = isObject(headers) ? Object.keys(headers).map((name) => name.toLowerCase()) : [];
  const type = said.type !== undefined && !names.includes('content-type') ? { 'Content-Type': said.type } : {};
  const all = { ...(isObject(headers) ? joined(headers) : {}), ...type };
  return {
    ...others,
    ...(query === undefined || query === null ? {} : { query: queryText(query) }),
    ...(headers !== undefined && headers !== null && !isObject(headers) ? { headers } : {}),
    ...(Object.keys(all).length === 0 ? {} : { headers: all }),
    ...(said.body === undefined ? {} : { body: said.body }),
    ...(isObject(rules) ? { matchingRules: rulesByPath(rules) } : {}),
  };
}

/** Several values of a header are one text. */
function joined(headers: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? null)]),
  );
}

function queryText(query: Json): Json {
  if (!isObject(query)) return query;
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map((value): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  return new URLSearchParams(pairs).toString();
}

/** Version 4 says of a body how it is written. */
function bodyOf(body: Json | undefined): { readonly body?: Json | undefined; readonly type?: string } {
  if (!isObject(body) || !Object.hasOwn(body, 'content') || !Object.hasOwn(body, 'encoded')) return { body };
  const { content = null, contentType, encoded } = body;
  const type = typeof contentType === 'string' ? { type: contentType } : {};
  if (typeof content !== 'string' || encoded === false) return { body: content, ...type };
  const parsed = String(encoded).toUpperCase() === 'JSON' ? parseJson(content) : undefined;
  if (parsed && 'json' in parsed) return { body: parsed.json, ...type };
  return { body: Buffer.from(content, 'base64').toString('utf8'), ...type };
}

/** Rules by part of the message become rules by path; of several for one place all hold, or one of them does. */
function rulesByPath(parts: JsonObject): JsonObject {
  const found: [string, Json][] = [];
  for (const [part, rules] of Object.entries(parts)) {
    if (!isObject(rules) || part.startsWith('$')) found.push([part, rules ?? null]);
    else if (Object.hasOwn(rules, 'matchers')) found.push([`$.${part}`, combined(rules)]);
    else
      for (const [name, rule] of Object.entries(rules))
        found.push([pathOf(part, name), isObject(rule) ? combined(rule) : (rule ?? null)]);
  }
  return Object.fromEntries(found);
}

function pathOf(part: string, name: string): string {
  if (part === 'body') return name.replace(/^\$/, '$.body');
  if (part === 'status' || name === '') return `$.${part}`;
  const piece = `['${name.replace(/['\\]/g, '\\$&')}']`;
  return `$.${part === 'header' ? 'headers' : part}${name.startsWith('$') ? name.slice(1) : piece}`;
}

function combined({ matchers, combine }: JsonObject): Json {
  const rules = (Array.isArray(matchers) ? (matchers as readonly Json[]) : []).map((rule) =>
    isObject(rule) ? withVariants(rule) : rule,
  );
  const [only = {}] = rules;
  if (rules.length < 2) return only;
  return { match: String(combine).toUpperCase() === 'OR' ? 'any' : 'all', rules };
}

function withVariants(rule: JsonObject): JsonObject {
  const { variants } = rule;
  if (!Array.isArray(variants)) return rule;
  return {
    ...rule,
    variants: (variants as readonly Json[]).map((one) =>
      isObject(one) ? { ...one, rules: rulesByPath({ body: one['rules'] ?? {} }) } : one,
    ),
  };
}
