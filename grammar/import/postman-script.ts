import type { JsonObject } from '#schemas/types/json.ts';

import { schemaOfPredicate } from './answer-types.ts';
import { literal, resultPath, simplePath, valueOf, valueOfScript } from './condition.ts';

/** Meaning of the lines of a test script. */
export interface ScriptMeaning {
  readonly expect: readonly string[];
  readonly captures: readonly { readonly name: string; readonly path: string }[];
  /** Types of values at paths of the answer. */
  readonly types: readonly AskedType[];
  /** Lines with another meaning, without their texts, which may be secret. */
  readonly rest: readonly string[];
}

/** A type that is asked of the value at a path of the answer. */
export interface AskedType {
  readonly path: string;
  readonly schema: JsonObject;
}

/** Longest line that is read (characters): no assertion is that long, and some patterns take time with the square. */
const LONGEST = 2_000;
/** Lines that only hold others together. */
const frame =
  /^(?:(?:pm\.|client\.)?test\(\s*(["'`]).*\1\s*,\s*(?:async\s*)?(?:function\s*\w*\s*\(\s*\)|\(\s*\)\s*=>)\s*\{|[})\];\s]*|\/\/.*|['"]use strict['"];?)$/;
const compared = {
  equal: '==',
  eql: '==',
  equals: '==',
  eq: '==',
  above: '>',
  greaterThan: '>',
  below: '<',
  lessThan: '<',
  least: '>=',
  most: '<=',
} as const;

/**
 * Reads the forms that test scripts of Postman are mostly made of; nothing of a script is ever run. `asPostman`
 * translates a line of another program.
 */
export function readPostmanScript(lines: readonly string[], asPostman = (line: string): string => line): ScriptMeaning {
  const expect: string[] = [];
  const captures: { name: string; path: string }[] = [];
  const types: AskedType[] = [];
  const rest: string[] = [];
  const bodies = new Set<string>();
  const branches = new Branches();
  for (const written of statements(lines)) {
    const isConditional = branches.isInside;
    branches.read(written);
    if (written.length > LONGEST) {
      rest.push(`${written.slice(0, 80).toWellFormed()}…`);
      continue;
    }
    if (frame.test(written)) continue;
    const line = asPostman(written);
    const body = /^(?:const|let|var)\s+([\w$]+)\s*=\s*(?:pm\.response\.json\(\)|JSON\.parse\(responseBody\));?$/.exec(
      line,
    );
    if (body?.[1] !== undefined) {
      bodies.add(body[1]);
      continue;
    }
    // An assertion that holds in one case only is not asked of every answer.
    const condition = isConditional ? undefined : conditionOf(line, bodies);
    const capture = condition === undefined ? captureOf(line, bodies) : undefined;
    const type = isConditional ? undefined : typeOf(line, bodies);
    if (condition !== undefined) expect.push(condition);
    else if (type) types.push(type);
    else if (capture) captures.push(capture);
    else rest.push(written.replace(/(["'`])(?:(?!\1).)+\1/g, '$1…$1'));
  }
  return { expect: [...new Set(expect)], captures, types, rest };
}

/** Whether the lines of a script are reached in some cases only: in a branch, a loop or a function. */
class Branches {
  readonly #open: boolean[] = [];
  #isNext = false;

  get isInside(): boolean {
    return this.#isNext || this.#open.includes(true);
  }

  read(line: string): void {
    const isPlain = frame.test(line) || /^(?:(?:pm\.|client\.)?test\(|try\b)/.test(line);
    const code = line.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\/\/.*/g, '');
    for (const [sign] of code.matchAll(/[{}]/g))
      if (sign === '{') this.#open.push(!isPlain);
      else this.#open.pop();
    this.#isNext = /^(?:(?:\}\s*)?else|(?:(?:\}\s*)?else\s+)?(?:if|for|while)\b[^{]*\))$/.test(code.trim());
  }
}

/** Lines, with a test that stands on one line taken apart. */
function statements(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const plain = line.trim();
    if (plain.length > LONGEST) return [plain];
    const one =
      /^((?:pm\.|client\.)?test\(\s*(["'`]).*?\2\s*,\s*(?:function\s*\(\s*\)|\(\s*\)\s*=>)\s*\{)(.+)\}\s*\)\s*;?$/.exec(
        plain,
      );
    if (one?.[3] !== undefined) return one[3].split(';').flatMap((each) => each.trim() || []);
    const arrow = /^(?:pm\.|client\.)?test\(\s*(["'`]).*?\1\s*,\s*\(\s*\)\s*=>\s*([^{\s].*)\)\s*;?$/.exec(plain);
    return [arrow?.[2] ?? plain];
  });
}

/** Names that Postman has for statuses. */
const statuses: Readonly<Record<string, string | undefined>> = {
  ok: 'result.status_code >= 200 && result.status_code < 300',
  success: 'result.status_code >= 200 && result.status_code < 300',
  accepted: 'result.status_code == 202',
  badRequest: 'result.status_code == 400',
  unauthorized: 'result.status_code == 401',
  forbidden: 'result.status_code == 403',
  notFound: 'result.status_code == 404',
  rateLimited: 'result.status_code == 429',
  redirection: 'result.status_code >= 300 && result.status_code < 400',
  clientError: 'result.status_code >= 400 && result.status_code < 500',
  serverError: 'result.status_code >= 500',
  error: 'result.status_code >= 400',
  json: 'result.json != null',
};

/** `pm.response.to…`: what is asked of the answer as a whole. */
function ofAnswer(line: string): string | undefined {
  const [, not, name = ''] = /^pm\.response\.to\.(not\.)?be\.(?:an?\.)?(\w+);?$/.exec(line) ?? [];
  const status = Object.hasOwn(statuses, name) ? statuses[name] : undefined;
  if (status !== undefined) return not === undefined ? status : `!(${status})`;
  const [, what, code, quoted, value] =
    /^pm\.response\.to\.have\.(status|header|body|jsonBody)\(\s*(?:(\d{3})|(["'][^"']*["'])(?:\s*,\s*(["'][^"']*["']))?)\s*\);?$/.exec(
      line,
    ) ?? [];
  const text = quoted?.slice(1, -1) ?? '';
  switch (what) {
    case 'status':
      return code === undefined ? `result.reason == ${literal(text)}` : `result.status_code == ${code}`;
    case 'header': {
      const path = resultPath('result.headers', [text.toLowerCase()]);
      return value === undefined ? `exists(${path})` : `${path} == ${literal(value.slice(1, -1))}`;
    }
    case 'body':
      return quoted === undefined ? undefined : `result.text == ${literal(text)}`;
    case 'jsonBody': {
      const pieces = value === undefined ? simplePath(text) : undefined;
      return pieces && `exists(${resultPath('result.json', pieces)})`;
    }
    default:
      return undefined;
  }
}

function trimmed(text: string | undefined): string {
  return text?.trim() ?? '';
}

function conditionOf(line: string, bodies: ReadonlySet<string>): string | undefined {
  const answer = ofAnswer(line);
  if (answer !== undefined) return answer;
  const old = /^tests\[(["']).*\1\]\s*=\s*responseCode\.code\s*={2,3}\s*(\d{3});?$/.exec(line);
  if (old) return `result.status_code == ${old[2]}`;
  const said = /^pm\.expect\((.+?)\)\.to\.(?:be\.|have\.)?(?:at\.)?(?:deep\.)?(\w+)(?:\((.*?)\))?;?$/.exec(line);
  if (said) return judged(trimmed(said[1]), said[2] ?? '', said[3]?.trim(), bodies);
  const denied = /^pm\.expect\((.+?)\)\.(?:to\.not|not\.to)\.(?:be\.|have\.)?(\w+)(?:\((.*?)\))?;?$/.exec(line);
  const condition = denied ? judged(trimmed(denied[1]), denied[2] ?? '', denied[3]?.trim(), bodies) : undefined;
  return condition === undefined ? undefined : `!(${condition})`;
}

/** `pm.expect(x).to.be.a("string")`. */
function typeOf(line: string, bodies: ReadonlySet<string>): AskedType | undefined {
  const said = /^pm\.expect\((.+?)\)\.to\.be\.an?\(\s*(["'])([a-z]+)\2\s*\);?$/.exec(line);
  const path = said ? pathOf(trimmed(said[1]), bodies) : undefined;
  const name = said?.[3] ?? '';
  const schema = schemaOfPredicate(`is${name.slice(0, 1).toUpperCase()}${name.slice(1)}`);
  return schema && path?.startsWith('result.') ? { path: path.replace(/^result\./, ''), schema } : undefined;
}

function judged(
  subject: string,
  verb: string,
  given: string | undefined,
  bodies: ReadonlySet<string>,
): string | undefined {
  const path = pathOf(subject, bodies);
  if (path === undefined) return undefined;
  if (verb === 'include' || verb === 'contain') {
    const value = given === undefined || !isLiteral(given) ? undefined : literal(valueOf(given));
    return value === undefined ? undefined : `contains(${path}, ${value})`;
  }
  if (given === undefined || given === '') {
    if (verb === 'true' || verb === 'false' || verb === 'null') return `${path} == ${verb}`;
    if (verb === 'undefined') return `!exists(${path})`;
    if (verb === 'empty') return `len(${path}) == 0`;
    return verb === 'exist' ? `exists(${path})` : undefined;
  }
  const special = bySpecial(path, verb, given);
  if (special !== undefined) return special;
  const sign = (compared as Readonly<Record<string, string | undefined>>)[verb];
  const value = sign !== undefined && isLiteral(given) ? literal(valueOf(given)) : wholeValue(sign, given);
  return value === undefined ? undefined : `${path} ${sign} ${value}`;
}

/** A list or an object, which can be equal to another, but not above it. */
function wholeValue(sign: string | undefined, given: string): string | undefined {
  const value = sign === '==' ? valueOfScript(given) : undefined;
  return value === undefined ? undefined : literal(value);
}

/** Verbs whose values are more than a literal to compare with. */
function bySpecial(path: string, verb: string, given: string): string | undefined {
  const text = /^(["'])((?:(?!\1)[^\\])*)\1$/.exec(given)?.[2];
  switch (verb) {
    case 'property':
      return text === undefined || path.endsWith(')') ? undefined : `exists(${resultPath(path, [text])})`;
    case 'lengthOf':
    case 'length':
      return /^\d+$/.test(given) ? `len(${path}) == ${given}` : undefined;
    case 'match':
      return /^\/.+\/[ims]*$/.test(given) ? `matches(${path}, ${given})` : undefined;
    case 'oneOf': {
      const values =
        /^\[(.*)\]$/s
          .exec(given)?.[1]
          ?.split(',')
          .map((each) => each.trim()) ?? [];
      const texts = values.map((each) => (isLiteral(each) ? literal(valueOf(each)) : undefined));
      if (texts.length === 0 || texts.includes(undefined)) return undefined;
      return texts.map((each) => `${path} == ${each}`).join(' || ');
    }
    default:
      return undefined;
  }
}

function captureOf(line: string, bodies: ReadonlySet<string>): { name: string; path: string } | undefined {
  const set =
    /^(?:pm\.(?:environment|collectionVariables|globals|variables)\.set|postman\.set(?:Environment|Global)Variable)\(\s*(["'])([^"']+)\1\s*,\s*(.+?)\s*\);?$/.exec(
      line,
    );
  const path = set ? pathOf(set[3] ?? '', bodies) : undefined;
  // A length is made of a part of the answer, and is none itself.
  return set && path?.startsWith('result.') ? { name: set[2] ?? '', path: path.replace(/^result\./, '') } : undefined;
}

/** Path in `result` for the part of the answer that an expression reads. */
function pathOf(expression: string, bodies: ReadonlySet<string>): string | undefined {
  if (expression === 'pm.response.code') return 'result.status_code';
  if (expression === 'pm.response.responseTime') return 'result.elapsed_ms';
  if (expression === 'pm.response.text()') return 'result.text';
  const header = /^pm\.response\.headers\.get\(\s*(["'])([\w-]+)\1\s*\)$/.exec(expression);
  if (header) return resultPath('result.headers', [header[2]?.toLowerCase() ?? '']);
  const json = /^(pm\.response\.json\(\)|[\w$]+)(.*)$/s.exec(expression);
  if (!json || !(json[1] === 'pm.response.json()' || bodies.has(json[1] ?? ''))) return undefined;
  const pieces = simplePath(json[2] ?? '');
  if (pieces?.at(-1) === 'length') return `len(${resultPath('result.json', pieces.slice(0, -1))})`;
  return pieces && resultPath('result.json', pieces);
}

function isLiteral(text: string): boolean {
  return /^(?:-?\d+(?:\.\d+)?|true|false|null|"[^"]*"|'[^']*')$/.test(text);
}
