import type { IToken } from 'chevrotain';

import { nearest } from '#grammar/language/nearest.ts';

import { CONVERSIONS, EVENT_MEMBERS, KINDS, RUN_MEMBERS, isBare } from './ast.ts';
import type { ReferenceProblem } from './ast.ts';
import * as t from './tokens.ts';

/**
 * Meaning of a token that the grammar did not expect, in a text that begins with the mark of a reference; `token` is
 * undefined at its end.
 */
export function problemAt(text: string, token: IToken | undefined, previous: IToken | undefined): ReferenceProblem {
  const closing = text.startsWith('$') ? '}' : '}}';
  // Whatever looks wrong in a reference that has no end: the end is what is missing.
  if (token === undefined || !text.includes(closing))
    return { key: 'not-closed', from: 0, to: endOfMark(text), expected: `"${closing}"` };
  const from = token.startOffset;
  const to = from + token.image.length;
  const isClose = token.tokenType === t.CloseBraces || token.tokenType === t.CloseDollar;
  const isNameless =
    previous !== undefined &&
    [t.OpenBraces, t.OpenDollar, t.NamedKind, t.FormatKind, t.RunKind].includes(previous.tokenType);
  if (isClose && isNameless) return { key: 'name-missing', from: 0, to };
  if (token.tokenType === t.NestedMark)
    return { key: 'nested', from, to, found: token.image, ...(doubled(text) ?? tripled(text)) };
  return { key: 'unexpected', from, to, found: token.image, ...(text.startsWith('{{') && filtered(text)) };
}

/** Filters of templates, and what converts here. */
const FILTERS: Readonly<Record<string, string>> = {
  ...{ bool: ':bool', float: ':number', fromjson: ':json', from_json: ':json', int: ':int', number: ':number' },
};

/** Values that other tools make under names with a dollar. */
const GENERATED: Readonly<Record<string, string>> = {
  ...{ guid: '${uuid:v4}', randomuuid: '${uuid:v4}', uuid: '${uuid:v4}' },
  ...{ isotimestamp: '${date:!%Y-%m-%dT%H:%M:%S.%LZ}', timestamp: '${date:%s}' },
};

/** `{{ user | default('ann') }}`, `{{ age | int }}` and `{{ lookup('env', 'HOME') }}`, as templates have them. */
function filtered(text: string): Pick<ReferenceProblem, 'whole' | 'nearest'> | undefined {
  const [looked, variable] = /^\{\{\s*(?:lookup\(\s*)?['"]?env['"]?[,(]\s*['"](\w+)['"]\s*\)\s*\}\}/.exec(text) ?? [];
  if (looked !== undefined)
    return { whole: { from: 0, to: looked.length, inside: looked }, nearest: `\${env:${variable}}` };
  const [marked, mark = '', word = ''] = /^\{\{\s*([$.])(\w+)\s*\}\}/.exec(text) ?? [];
  if (marked !== undefined) {
    const nearest = mark === '.' ? `{{${word}}}` : GENERATED[word.toLowerCase()];
    return nearest === undefined ? undefined : { whole: { from: 0, to: marked.length, inside: marked }, nearest };
  }
  const [whole, name = '', filter = '', given] =
    /^\{\{\s*([A-Za-z_][\w.[\]]*)\s*\|\s*(\w+)\s*(?:\(([^()]*)\)\s*)?\}\}/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const plain = given === undefined ? undefined : /^(?:'([^'{}]*)'|"([^"{}]*)"|(-?[\w.]+))/.exec(given.trimStart());
  const otherwise = plain?.[1] ?? plain?.[2] ?? plain?.[3];
  const behind =
    filter === 'default' || filter === 'd'
      ? otherwise === undefined
        ? undefined
        : `:-${otherwise}`
      : given === undefined && Object.hasOwn(FILTERS, filter)
        ? FILTERS[filter]
        : undefined;
  if (behind === undefined) return undefined;
  return { whole: { from: 0, to: whole.length, inside: whole }, nearest: `{{${name}${behind}}}` };
}

/** Marks of references here, by the place where build servers keep such a value. */
const PLACES: Readonly<Record<string, readonly [before: string, behind: string]>> = {
  env: ['${env:', '}'],
  inputs: ['{{', '}}'],
  matrix: ['${MATRIX.', '}'],
  secrets: ['${ENV.', '}'],
  vars: ['${ENV.', '}'],
};

/** `${{ secrets.TOKEN }}`, as build servers write it, and the reference that it stands for. */
function doubled(text: string): Pick<ReferenceProblem, 'whole' | 'nearest'> | undefined {
  const [whole = '', inside = ''] = /^\$\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/.exec(text) ?? [];
  if (whole === '') return undefined;
  const [place = '', ...path] = inside.split('.');
  const [before, behind] = (path.length === 1 && Object.hasOwn(PLACES, place) ? PLACES[place] : undefined) ?? [];
  const nearest = before === undefined ? `{{${inside}}}` : `${before}${path.join('.')}${behind}`;
  return { whole: { from: 0, to: whole.length, inside }, nearest };
}

/** `{{{name}}}`, as templates write what they do not escape. */
function tripled(text: string): Pick<ReferenceProblem, 'whole' | 'nearest'> | undefined {
  const [whole = '', name] = /^\{\{\{\s*([A-Za-z_][\w.]*)\s*\}\}\}/.exec(text) ?? [];
  return whole === '' ? undefined : { whole: { from: 0, to: whole.length, inside: whole }, nearest: `{{${name}}}` };
}

/** The opening mark and the name behind it, for a reference that has no end. */
function endOfMark(text: string): number {
  return /^(?:\$\{|\{\{)[^\s{}]{0,40}/.exec(text)?.[0].length ?? text.length;
}

/**
 * `${HOME}`, `${env.X}`, `${cwd:int}`: what stands behind `${` is no kind, or a kind with something it does not take.
 */
export function unknownKindProblem(token: IToken): ReferenceProblem {
  const image = token.image.trim();
  const from = token.startOffset + token.image.indexOf(image);
  const [word] = /^[^.:]*/.exec(image) ?? [''];
  const rest = image.slice(word.length);
  if (isBare(word) && rest.startsWith(':')) {
    return {
      key: rest.startsWith(':-') ? 'no-default' : 'no-conversion',
      from: from + word.length,
      to: from + image.length,
      found: word,
    };
  }
  const meant = referenceMeant(word, rest);
  const to = from + Math.max(1, word.trimEnd().length);
  return {
    key: 'unknown-kind',
    from,
    to,
    found: word.trim() === '' ? token.image.slice(0, 1) : word.trim(),
    whole: { from: from - '${'.length, to: from + image.length + '}'.length, inside: image },
    ...(meant === undefined ? {} : { nearest: meant }),
  };
}

/**
 * The whole reference with the kind that differs in case, divider or a letter; `${HOME}` is a shell's environment
 * variable.
 */
function referenceMeant(word: string, rest: string): string | undefined {
  const divider = rest.charAt(0);
  const same = KINDS.filter((kind) => kind.replace(/[.:]$/, '').toLowerCase() === word.toLowerCase());
  const kind = same.find((one) => one.endsWith(divider)) ?? same[0];
  if (kind !== undefined)
    return /[.:]$/.test(kind) && rest.length > 1
      ? `\${${kind}${rest.slice(1)}}`
      : isBare(kind)
        ? `\${${kind}}`
        : undefined;
  if (rest === '' && /^[A-Z_][A-Z0-9_]*$/.test(word)) return `\${env:${word}}`;
  const near = nearest(
    word,
    KINDS.filter((one) => one.endsWith(divider) && /[.:]$/.test(one) === (divider !== '')),
  );
  return near === undefined ? undefined : `\${${near}${rest.slice(1)}}`;
}

/** A member of `run` or `event` that there is not; undefined where there is. */
export function memberProblem(kind: 'run' | 'event', token: IToken): ReferenceProblem | undefined {
  const members = kind === 'run' ? RUN_MEMBERS : EVENT_MEMBERS;
  const { image, startOffset: from } = token;
  if (members.includes(image)) return undefined;
  const [word] = /^[^:]*/.exec(image) ?? [''];
  const rest = image.slice(word.length);
  if (members.includes(word) && rest !== '') {
    return {
      key: rest.startsWith(':-') ? 'no-default' : 'no-conversion',
      from: from + word.length,
      to: from + image.length,
      found: `${kind}.${word}`,
    };
  }
  const meant = nearest(word, members);
  return {
    key: 'unknown-member',
    from,
    to: from + image.length,
    found: image,
    expected: members.join(', '),
    ...(meant === undefined ? {} : { nearest: meant }),
  };
}

export function conversionProblem(token: IToken): ReferenceProblem {
  const found = token.image.slice(1);
  const meant = nearest(found, CONVERSIONS);
  const from = token.startOffset;
  return {
    key: 'unknown-conversion',
    from,
    to: from + token.image.length,
    found,
    expected: CONVERSIONS.join(', '),
    ...(meant === undefined ? {} : { nearest: meant }),
  };
}
