import { EmbeddedActionsParser, EOF, Lexer } from 'chevrotain';
import type { IToken } from 'chevrotain';

import { nearest } from '#grammar/language/nearest.ts';

import {
  HIGHEST_PORT,
  type ParsedStorageUri,
  type StorageUri,
  type StorageUriProblem,
  type StorageUriProblemKey,
} from './ast.ts';
import { formOf, schemes, type StorageForm } from './schemes.ts';
import * as t from './tokens.ts';

interface Place {
  readonly user?: IToken | undefined;
  readonly password?: IToken | undefined;
  readonly host: IToken;
  readonly port?: IToken | undefined;
}

/**
 * place = [ user [ ":" password ] "@" ] host [ ":" port ] and container = word: what stands between `//` and the next
 * slash.
 */
class PlaceParser extends EmbeddedActionsParser {
  readonly lexer = new Lexer(t.TOKENS, { positionTracking: 'onlyOffset' });

  constructor() {
    super(t.TOKENS, { recoveryEnabled: false, maxLookahead: 1 });
    this.performSelfAnalysis();
  }

  readonly container = this.RULE('container', (): Place => ({ host: this.CONSUME(t.Word) }));

  readonly server = this.RULE('server', (): Place => {
    const who = this.OPTION({
      GATE: () => this.input.some(({ tokenType }) => tokenType === t.At),
      DEF: () => this.SUBRULE(this.who),
    });
    const host = this.OR([{ ALT: () => this.CONSUME(t.Word) }, { ALT: () => this.CONSUME(t.Bracketed) }]);
    const port = this.OPTION1(() => {
      this.CONSUME(t.Colon);
      return this.CONSUME1(t.Word);
    });
    return { ...who, host, port };
  });

  readonly who = this.RULE('who', (): Pick<Place, 'user' | 'password'> => {
    const user = this.CONSUME(t.Word);
    const password = this.OPTION(() => {
      this.CONSUME(t.Colon);
      return this.OPTION1(() => this.CONSUME1(t.Word));
    });
    this.CONSUME(t.At);
    return { user, password };
  });
}

/** Makes the parser; call it once. */
export function makeStorageUriGrammar(): (text: string) => ParsedStorageUri {
  const parser = new PlaceParser();
  return (text) => {
    const { tokens } = parser.lexer.tokenize(text);
    const control = tokens.find(({ tokenType }) => tokenType === t.Control);
    if (text === '') return wrong('empty', 0, 0);
    if (control) return at('character', control, JSON.stringify(control.image).slice(1, -1));
    const [first, second] = tokens;
    const form = first?.tokenType === t.Word ? formOf(first.image) : undefined;
    if (!first || !form) return withoutForm(text, first, tokens);
    if (second?.tokenType !== t.Separator && second?.tokenType !== t.Colon)
      return { uri: { scheme: '', path: text }, problems: [] };
    return behindScheme(parser, text, { first, second, form });
  };
}

function withoutForm(text: string, first: IToken | undefined, tokens: readonly IToken[]): ParsedStorageUri {
  const separator = tokens.find(({ tokenType }) => tokenType === t.Separator);
  if (!separator) return { uri: { scheme: '', path: text }, problems: [] };
  if (!first || tokens[1] !== separator || !/^[A-Za-z][A-Za-z0-9+.-]*$/.test(first.image))
    return at('without-scheme', separator, separator.image);
  const near = nearest(first.image, Object.keys(schemes));
  return at('scheme', first, first.image, {
    expected: Object.keys(schemes).join(', '),
    ...(near && { nearest: near }),
  });
}

function behindScheme(
  parser: PlaceParser,
  text: string,
  { first, second, form }: { readonly first: IToken; readonly second: IToken; readonly form: StorageForm },
): ParsedStorageUri {
  const scheme = first.image.toLowerCase();
  const begin = second.startOffset + second.image.length;
  const rest = text.slice(begin);
  if (form === 'path')
    return rest === ''
      ? wrong('incomplete', 0, text.length, { expected: 'a path' })
      : { uri: { scheme, path: rest }, problems: [] };
  if (second.tokenType !== t.Separator && form === 'server' && /^\/(?!\/)/.test(rest))
    return { uri: { scheme, path: rest }, problems: [] };
  if (second.tokenType !== t.Separator) return at('slashes', second, first.image);
  const slash = rest.indexOf('/');
  const place = slash < 0 ? rest : rest.slice(0, slash);
  const path = rest.slice(place.length);
  if (place === '')
    return form === 'server' && path !== ''
      ? { uri: { scheme, path }, problems: [] }
      : wrong('incomplete', 0, begin, { expected: form === 'container' ? 'a bucket' : 'a host' });
  return read(parser, { scheme, form, place, begin, path });
}

function read(
  parser: PlaceParser,
  given: {
    readonly scheme: string;
    readonly form: StorageForm;
    readonly place: string;
    readonly begin: number;
    readonly path: string;
  },
): ParsedStorageUri {
  const { scheme, form, place, begin, path } = given;
  parser.input = parser.lexer.tokenize(place).tokens;
  const found = form === 'container' ? parser.container() : parser.server();
  const [error] = parser.errors;
  if (error !== undefined || found === undefined) {
    const token = error?.token;
    if (token === undefined || token.tokenType === EOF)
      return wrong('incomplete', 0, begin + place.length, {
        expected: form === 'container' ? 'a bucket' : 'a host or a port',
      });
    return at('host', token, token.image, {}, begin);
  }
  const { port } = found;
  const number = Number(port?.image ?? 1);
  if (port && (!/^[0-9]{1,5}$/.test(port.image) || number < 1 || number > HIGHEST_PORT))
    return at('port', port, port.image, { expected: `1-${HIGHEST_PORT}` }, begin);
  const uri: StorageUri = {
    scheme,
    ...(found.user && { user: found.user.image }),
    // A colon with nothing behind it is an empty password.
    ...(found.user && place.includes(':', found.user.image.length) && place.indexOf(':') < place.indexOf('@')
      ? { password: found.password?.image ?? '' }
      : {}),
    host: found.host.image,
    ...(port && { port: number }),
    path,
  };
  return { uri, problems: [] };
}

type More = Pick<StorageUriProblem, 'expected' | 'nearest'>;

function at(
  key: StorageUriProblemKey,
  { startOffset, image }: IToken,
  found: string,
  more: More = {},
  begin = 0,
): ParsedStorageUri {
  const from = begin + startOffset;
  return { problems: [{ key, from, to: from + image.length, found, ...more }] };
}

function wrong(key: StorageUriProblemKey, from: number, to: number, more: More = {}): ParsedStorageUri {
  return { problems: [{ key, from, to, ...more }] };
}
