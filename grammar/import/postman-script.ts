import { literal, resultPath, simplePath, valueOf } from './condition.ts';

/** Meaning of the lines of a test script. */
export interface ScriptMeaning {
  readonly expect: readonly string[];
  readonly captures: readonly { readonly name: string; readonly path: string }[];
  /** Lines with another meaning, without their texts, which may be secret. */
  readonly rest: readonly string[];
}

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
  const rest: string[] = [];
  const bodies = new Set<string>();
  for (const written of statements(lines)) {
    if (frame.test(written)) continue;
    const line = asPostman(written);
    const body = /^(?:const|let|var)\s+([\w$]+)\s*=\s*(?:pm\.response\.json\(\)|JSON\.parse\(responseBody\));?$/.exec(
      line,
    );
    if (body?.[1] !== undefined) {
      bodies.add(body[1]);
      continue;
    }
    const condition = conditionOf(line, bodies);
    const capture = condition === undefined ? captureOf(line, bodies) : undefined;
    if (condition !== undefined) expect.push(condition);
    else if (capture) captures.push(capture);
    else rest.push(written.replace(/(["'`])(?:(?!\1).)+\1/g, '$1…$1'));
  }
  return { expect: [...new Set(expect)], captures, rest };
}

/** Lines, with a test that stands on one line taken apart. */
function statements(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const plain = line.trim();
    const one =
      /^((?:pm\.|client\.)?test\(\s*(["'`]).*?\2\s*,\s*(?:function\s*\(\s*\)|\(\s*\)\s*=>)\s*\{)\s*(.+?)\s*\}\s*\)\s*;?$/.exec(
        plain,
      );
    if (one?.[3] !== undefined) return one[3].split(/;\s*/).map((each) => each.trim());
    const arrow = /^(?:pm\.|client\.)?test\(\s*(["'`]).*?\1\s*,\s*\(\s*\)\s*=>\s*([^{\s].*)\)\s*;?$/.exec(plain);
    return [arrow?.[2] ?? plain];
  });
}

function conditionOf(line: string, bodies: ReadonlySet<string>): string | undefined {
  const status = /^pm\.response\.to\.have\.status\(\s*(\d{3})\s*\);?$/.exec(line);
  if (status) return `result.status_code == ${status[1]}`;
  if (/^pm\.response\.to\.be\.(?:ok|success);?$/.test(line))
    return 'result.status_code >= 200 && result.status_code < 300';
  if (/^pm\.response\.to\.be\.json;?$/.test(line)) return 'result.json != null';
  const header = /^pm\.response\.to\.have\.header\(\s*(["'])([\w-]+)\1\s*\);?$/.exec(line);
  if (header) return `exists(${resultPath('result.headers', [header[2]?.toLowerCase() ?? ''])})`;
  const old = /^tests\[(["']).*\1\]\s*=\s*responseCode\.code\s*={2,3}\s*(\d{3});?$/.exec(line);
  if (old) return `result.status_code == ${old[2]}`;
  const said = /^pm\.expect\(\s*(.+?)\s*\)\.to\.(?:be\.)?(?:at\.)?(?:deep\.)?(\w+)(?:\(\s*(.*?)\s*\))?;?$/.exec(line);
  return said ? judged(said[1] ?? '', said[2] ?? '', said[3], bodies) : undefined;
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
    return verb === 'exist' ? `exists(${path})` : undefined;
  }
  const sign = (compared as Readonly<Record<string, string | undefined>>)[verb];
  const value = sign !== undefined && isLiteral(given) ? literal(valueOf(given)) : undefined;
  return value === undefined ? undefined : `${path} ${sign} ${value}`;
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
