import { didYouMean, isSlip } from '#compiler/did-you-mean.ts';
import type { Document } from '#grammar/document/document.ts';
import { cutText } from '#grammar/source/cut-text.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import type { Json } from '#schemas/types/json.ts';

import { quoted } from '../3-parse/fields.ts';
import { stepRoute } from '../3-parse/routes.ts';
import { argumentRoute, type Call } from '../4-resolve/resolved.ts';

/**
 * The finding for a call that sets a variable and was given name and value as one: `{x: 1}`, `x=1`, `x 1`. Undefined
 * where something else is wrong.
 */
export function variableAsPair(call: Call, document: Document): Diagnostic | undefined {
  const { info, parameters } = call.signature;
  const [written, other] = info.variables?.defines ?? [];
  const { from: value } = info.variables ?? {};
  if (written === undefined || other !== undefined || value === undefined || !written.startsWith('param:'))
    return undefined;
  const name = written.slice('param:'.length);
  if (Object.hasOwn(call.args, value)) return undefined;
  const text = call.args[name];
  if (typeof text === 'string') return asText(text, { name, value }, call, document);
  const keys = Object.keys(call.args);
  const [first] = keys;
  if (text !== undefined || first === undefined) return undefined;
  // `{nme: a}` has a slip in the name of a parameter.
  const names = [...parameters.keys()];
  if (keys.some((key) => parameters.has(key) || isSlip(key, didYouMean(key, names)))) return undefined;
  const source = document.source;
  const at = (key: string) => ({ source, route: argumentRoute(call, key, document), part: 'key' }) as const;
  return d.unknownParameter({
    at: at(first),
    related: keys.slice(1).map(at),
    command: info.name,
    parameter: first,
    allowed: quoted(names),
    nearest: undefined,
    fixes: keys.length > 1 ? [] : [inParameters(call, { [name]: first, [value]: call.args[first] ?? null }, 'safe')],
  });
}

interface Names {
  readonly name: string;
  readonly value: string;
}

function asText(text: string, { name, value }: Names, call: Call, document: Document): Diagnostic | undefined {
  const [, variable, divider = '', written = ''] = /^([A-Za-z_]\w*)(\s*[=:]\s*|\s+)(\S[^]*)$/.exec(text) ?? [];
  if (variable === undefined) return undefined;
  const meant = { [name]: variable, [value]: read(written) };
  return d.patternMismatch({
    at: { source: document.source, route: argumentRoute(call, name, document), part: 'value' },
    command: call.signature.info.name,
    parameter: name,
    form: `be a name alone; its value is the parameter "${value}"`,
    actual: `the text ${JSON.stringify(cutText(text, 60))}`,
    fixes: [inParameters(call, meant, divider.trim() === '' ? 'unsafe' : 'safe')],
  });
}

function read(text: string): Json {
  return /^(?:-?\d{1,15}(?:\.\d+)?|true|false|null)$/.test(text) ? (JSON.parse(text) as Json) : text;
}

function inParameters({ step }: Call, value: Readonly<Record<string, Json>>, safety: Fix['safety']): Fix {
  const route = [...stepRoute(step), step.form === 'array' ? 1 : step.command];
  const text = Object.entries(value).map(([key, item]) => `${key}: ${JSON.stringify(item)}`);
  return { title: `write { ${text.join(', ')} }`, safety, operations: [{ kind: 'replace', route, value }] };
}
