import { EOF } from 'chevrotain';

import { makeReferenceParser } from '#grammar/reference/parser.ts';

import type { ParsedPath } from './parse.ts';

/** Makes the parser from that of references; call it once. */
export function makePathGrammar(): (text: string) => ParsedPath {
  const parser = makeReferenceParser();
  return (text) => {
    const { tokens } = parser.lexer.tokenize(text, 'braces');
    if (tokens.length === 0) return { problems: [{ key: 'empty', from: 0, to: text.length }] };
    parser.input = tokens;
    const path = parser.valuePath();
    const [error] = parser.errors;
    if (error === undefined) return { path, problems: [] };
    const { image, startOffset: from, tokenType } = error.token;
    if (tokenType === EOF) return { problems: [{ key: 'incomplete', from: text.trimEnd().length, to: text.length }] };
    return { problems: [{ key: 'unexpected', from, to: from + image.length, found: image }] };
  };
}
