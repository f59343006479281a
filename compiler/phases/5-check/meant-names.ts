import { didYouMean } from '#compiler/did-you-mean.ts';
import { isList } from '#schemas/types/json.ts';

import { nearName, nearParameter } from '../4-resolve/meant/near-parameter.ts';
import { isStepOption } from '../1-read/vocabulary.ts';
import type { Call } from '../4-resolve/resolved.ts';

import type { Problem } from './answer.ts';
import { fits, type Walk } from './walker.ts';

/** A parameter that another name was likely meant for. */
export interface Meant {
  readonly parameter: string;
  /** Whether one clearly fits; several that fit equally are told in their order, and nothing is changed for it. */
  readonly isClear: boolean;
}

/** Words for where something comes from, and for where it goes. */
const ENDS: readonly (readonly string[])[] = [
  ['from', 'src', 'source', 'origin', 'input'],
  ['to', 'dst', 'dest', 'destination', 'target', 'output'],
];

/** Words for the content of a request. */
const BODIES: readonly string[] = ['body', 'content', 'json_body', 'payload', 'request_body'];

/** Words for what stands behind the question mark of an address. */
const QUERIES: readonly string[] = ['query', 'query_params', 'query_parameters', 'query_string', 'queryparams', 'qs'];

/** Words for what is left out of a comparison. */
const LEFT_OUT: readonly string[] = ['ignore', 'ignored', 'mask', 'masks', 'masked', 'exclude', 'excluded'];

/**
 * Parameters that unknown names were likely meant for: those of nearly that name, those for the same end of what is
 * moved or for what a comparison leaves out, and those still missing where as many unknown names are left, of values
 * that could stand there. A required parameter under another name is one mistake, and told of where it stands.
 */
export function meantNames(problems: readonly Problem[], call: Call, walk: Walk): ReadonlyMap<string, Meant> {
  const { signature, step } = call;
  const meant = new Map<string, Meant>();
  const needed = problems.filter(isMissing).map(({ wanted }) => String(wanted));
  const unknown = problems.filter(isUnknown).map(({ route }) => String(route[0]));
  for (const name of unknown) {
    const nearest =
      blockMeant(name, needed, call) ??
      // `file_path` is `path` sooner than `key_path`.
      didYouMean(name, needed, 1)[0] ??
      needed.find((word) => name.split('_').includes(word)) ??
      nearName(name, needed) ??
      atSameEnd(name, needed) ??
      bodyMeant(name, call) ??
      (QUERIES.includes(name.toLowerCase()) && signature.parameters.has('params') ? 'params' : undefined) ??
      nearParameter(name, signature) ??
      leftOut(name, call, walk);
    if (nearest !== undefined) meant.set(name, { parameter: nearest, isClear: true });
  }
  const taken = new Set([...meant.values()].map(({ parameter }) => parameter));
  const left = unknown.filter((name) => !meant.has(name) && !isStepOption(name));
  const missing = needed.filter((name) => !taken.has(name));
  const [first] = missing;
  if (left.length !== missing.length || first === undefined) return meant;
  if (left.some((name, index) => !mayStandAs(missing[index] ?? first, name, call, walk))) return meant;
  if (left.length === 1 && step.options !== undefined && Object.hasOwn(step.options, first)) return meant;
  for (const [index, name] of left.entries())
    meant.set(name, { parameter: missing[index] ?? first, isClear: left.length === 1 });
  return meant;
}

/** The steps that are needed, for a list of steps under another name. */
function blockMeant(name: string, needed: readonly string[], { args, signature }: Call): string | undefined {
  const value = args[name] ?? null;
  if (!isList(value) || !value.some((item) => typeof item === 'object')) return undefined;
  const [only, other] = needed.filter((each) => signature.parameters.get(each)?.list !== undefined);
  return other === undefined ? only : undefined;
}

/** `source`, where `from` was given, if no other needed one is at that end. */
function atSameEnd(name: string, needed: readonly string[]): string | undefined {
  const end = ENDS.find((words) => holds(words, name));
  const [only, other] = end === undefined ? [] : needed.filter((each) => holds(end, each));
  return other === undefined ? only : undefined;
}

/** The content of a request under a word of other tools: text, or a value that becomes JSON. */
function bodyMeant(name: string, { args, signature: { parameters } }: Call): string | undefined {
  if (!BODIES.includes(name.toLowerCase()) || !parameters.has('json')) return undefined;
  return typeof args[name] === 'string' && parameters.has('data') ? 'data' : 'json';
}

/** `ignore_regions`, where `masks` was given, if no other parameter leaves something out. */
function leftOut(name: string, call: Call, walk: Walk): string | undefined {
  if (!LEFT_OUT.includes(name.toLowerCase())) return undefined;
  const words = [...call.signature.parameters.keys()].filter((each) => holds(LEFT_OUT, each));
  const [only, other] = words.filter((each) => mayStandAs(each, name, call, walk));
  return other === undefined ? only : undefined;
}

/** Whether the value under an unknown name is of a type that the parameter takes: a list stands for no path. */
function mayStandAs(parameter: string, name: string, { args, signature }: Call, walk: Walk): boolean {
  const { problems } = fits(signature.parameters.get(parameter)?.schema ?? true, args[name] ?? null, walk);
  return !problems.some(({ route, keyword }) => route.length === 0 && keyword === 'type');
}

function holds(words: readonly string[], name: string): boolean {
  return name
    .toLowerCase()
    .split('_')
    .some((word) => words.includes(word));
}

export function isMissing({ route, keyword }: Problem): boolean {
  return route.length === 0 && keyword === 'required';
}

export function isUnknown({ route, keyword }: Problem): boolean {
  return route.length === 1 && keyword === 'additionalProperties';
}
