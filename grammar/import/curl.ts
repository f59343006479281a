import { CommandLineError } from '#grammar/curl/ast.ts';
import type { Word } from '#grammar/curl/ast.ts';
import { readOption } from '#grammar/curl/options.ts';
import { parseCommandLine } from '#grammar/curl/parse.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { bodyParams, Credentials, isSecretName } from './request.ts';
import type { ImportedAction } from './request.ts';

/** Headers that a request has once: the last one counts. */
const ONCE =
  /^(?:authorization|content-length|content-type|from|host|if-modified-since|if-unmodified-since|max-forwards|origin|proxy-authorization|referer|user-agent)$/i;
const verbs = new Set(['get', 'put', 'patch', 'post', 'head', 'delete', 'options']);
/** Options that change what curl prints, or what is so anyway. */
const silent = new Set(
  'silent show-error verbose include fail fail-with-body globoff no-buffer progress-bar no-progress-meter compressed compressed-ssh http1.1 ipv4 ipv6 tlsv1.2 tlsv1.3 tr-encoding no-keepalive keepalive-time keepalive-cnt disable write-out fail-early styled-output no-styled-output ssl-reqd basic'.split(
    ' ',
  ),
);

/** The request that a curl command line sends, as a test action; or why it is none. */
export async function importCurl(text: string): Promise<ImportedAction | CommandLineError> {
  const line = await parseCommandLine(text);
  if (line instanceof CommandLineError) return line;
  const [program, ...rest] = line.words[0]?.plain === '$' ? line.words.slice(1) : line.words;
  if (!program || !/^(?:.*[\\/])?curl(?:\.exe)?$/i.test(program.plain))
    return new CommandLineError('it does not begin with curl', program?.from ?? 0);
  const reading = new Reading(line.lost);
  return reading.read(rest) ?? reading.action();
}

class Reading {
  readonly #lost: string[];
  readonly #credentials = new Credentials();
  readonly #headers = new Map<string, readonly [name: string, value: string]>();
  readonly #data: string[] = [];
  readonly #query: string[] = [];
  readonly #form: (readonly [name: string, value: string, type: string | undefined])[] = [];
  readonly #urls: string[] = [];
  readonly #params: Record<string, Json> = {};
  #cookies: Record<string, string> = {};
  #method: string | undefined;
  #isGet = false;
  #isJson = false;
  #isUntyped = false;
  #isPathKept = false;
  #isHead = false;
  #proxyScheme = '';
  #cert: string | undefined;
  #key: string | undefined;

  constructor(lost: readonly string[]) {
    this.#lost = [...lost];
  }

  /** Reads the words; the result is the first mistake, undefined where there is none. */
  read(words: readonly Word[]): CommandLineError | undefined {
    let isOver = false;
    for (let at = 0; at < words.length; at++) {
      const word = words[at];
      if (!word) continue;
      const option = isOver ? undefined : readOption(word.text);
      if (!option) {
        this.#urls.push(word.text);
        continue;
      }
      if (word.text === '--') isOver = true;
      for (const { name, takes } of option.options) {
        if (name === 'next') {
          this.#lost.push('what follows --next is another request');
          return undefined;
        }
        if (takes === 'flag') this.#flag(name);
        else {
          const value = option.value ?? words[++at]?.text;
          if (value === undefined) return new CommandLineError(`the option --${name} has no value`, word.from);
          this.#valued(name, value);
        }
      }
    }
    return this.#urls.length === 0 ? new CommandLineError('it has no address', 0) : undefined;
  }

  #flag(name: string): void {
    if (name === 'insecure') this.#params['verify'] = false;
    else if (name === 'location' || name === 'location-trusted') this.#params['allow_redirects'] = true;
    else if (name === 'head') this.#isHead = true;
    else if (name === 'get') this.#isGet = true;
    else if (name === 'path-as-is') this.#isPathKept = true;
    else if (name === 'digest') this.#params['auth_scheme'] = 'digest';
    else if (!silent.has(name) && name !== '') this.#lost.push(`the option --${name} has no counterpart`);
  }

  #valued(name: string, value: string): void {
    switch (name) {
      case 'request':
        this.#method = value;
        return;
      case 'url':
        this.#urls.push(value);
        return;
      case 'header':
        return this.#header(value);
      case 'user-agent':
        this.#set('User-Agent', value);
        return;
      case 'referer':
        this.#set('Referer', value.replace(/;auto$/, ''));
        return;
      case 'range':
        this.#set('Range', `bytes=${value}`);
        return;
      case 'oauth2-bearer':
        this.#set('Authorization', `Bearer ${value}`);
        return;
      case 'user':
        return this.#user(value);
      case 'cookie':
        return this.#cookie(value);
      case 'max-time':
        this.#params['timeout'] = Number(value) || 5;
        return;
      case 'cert':
        this.#cert = value;
        return;
      case 'key':
        this.#key = value;
        return;
      case 'cacert':
      case 'capath':
        this.#params['verify'] = value;
        return;
      case 'unix-socket':
        this.#params['unix_socket'] = value;
        return;
      case 'proxy':
      case 'preproxy':
        return this.#proxy(value, 'http');
      case 'socks5':
        return this.#proxy(value, 'socks5');
      case 'socks5-hostname':
        return this.#proxy(value, 'socks5h');
      default:
        return this.#bodyOption(name, value);
    }
  }

  #bodyOption(name: string, value: string): void {
    switch (name) {
      case 'data':
      case 'data-ascii':
      case 'data-binary':
        if (value.startsWith('@')) this.#lost.push(`the body stands in the file ${value.slice(1)}`);
        else this.#data.push(value);
        return;
      case 'data-raw':
        this.#data.push(value);
        return;
      case 'json':
        this.#isJson = true;
        if (value.startsWith('@')) this.#lost.push(`the body stands in the file ${value.slice(1)}`);
        else this.#data.push(value);
        return;
      case 'data-urlencode':
      case 'url-query':
        return this.#encoded(value, name === 'url-query' ? this.#query : this.#data);
      case 'form':
      case 'form-string':
        return this.#field(value, name === 'form-string');
      default:
        if (!silent.has(name)) this.#lost.push(`the option --${name} has no counterpart`);
    }
  }

  #header(text: string): void {
    if (text.startsWith('@')) this.#lost.push(`headers stand in the file ${text.slice(1)}`);
    else if (/^[^:;]+;\s*$/.test(text)) this.#set(text.replace(/;\s*$/, ''), '');
    else {
      const at = text.indexOf(':');
      const value = text.slice(at + 1).trim();
      // A name without a value takes a header away that curl would send.
      if (at <= 0) this.#lost.push(`the header "${text}" has no name`);
      else if (value !== '') this.#set(text.slice(0, at).trim(), value);
      else if (/^content-type$/i.test(text.slice(0, at).trim())) this.#isUntyped = true;
    }
  }

  #set(name: string, value: string): void {
    if (name.toLowerCase() === 'cookie') this.#cookie(value);
    else this.#headers.set(name.toLowerCase(), [name, this.#joined(name, this.#credentials.header(name, value))]);
  }

  /** The value behind those of the same name: several lines of a header are one list (RFC 9110 section 5.3). */
  #joined(name: string, value: string): string {
    const before = ONCE.test(name) ? undefined : this.#headers.get(name.toLowerCase())?.[1];
    return before === undefined ? value : `${before}, ${value}`;
  }

  #user(value: string): void {
    const at = value.indexOf(':');
    const [user, password] = at < 0 ? [value, undefined] : [value.slice(0, at), value.slice(at + 1)];
    const isPlain = password === '' || (password?.includes('${env:') ?? false);
    this.#params['auth'] = [user, isPlain ? (password ?? '') : this.#credentials.reference('API_PASSWORD')];
  }

  #cookie(value: string): void {
    if (!value.includes('=')) {
      this.#lost.push(`cookies stand in the file ${value}`);
      return;
    }
    for (const pair of value.split(';')) {
      const at = pair.indexOf('=');
      if (at <= 0) continue;
      const [name, content] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
      const isSecret = isSecretName(name) || /sess|sid|csrf|xsrf|jwt/i.test(name);
      this.#cookies = { ...this.#cookies, [name]: isSecret ? this.#credentials.reference(`COOKIE_${name}`) : content };
    }
  }

  #proxy(value: string, scheme: string): void {
    this.#proxyScheme = /^[a-z0-9]+:\/\//i.test(value) ? value : `${scheme}://${value}`;
    const login = /^([a-z0-9]+:\/\/)([^/@]*)@/i.exec(this.#proxyScheme);
    if (login)
      this.#proxyScheme = this.#proxyScheme.replace(`${login[2]}@`, `${this.#credentials.reference('PROXY_AUTH')}@`);
    this.#params['proxies'] = { all: this.#proxyScheme };
  }

  /** `content`, `=content`, `name=content`, `@file`, `name@file`: the content is encoded, the name is not. */
  #encoded(value: string, target: string[]): void {
    const at = value.search(/[=@]/);
    if (at >= 0 && value[at] === '@') {
      this.#lost.push(`a part of the body stands in the file ${value.slice(at + 1)}`);
      return;
    }
    const [name, content] = at < 0 ? ['', value] : [value.slice(0, at), value.slice(at + 1)];
    const encoded = content.includes('${env:') ? content : encodeURIComponent(content).replaceAll('%20', '+');
    target.push(name === '' ? encoded : `${name}=${encoded}`);
  }

  #field(text: string, isText: boolean): void {
    const at = text.indexOf('=');
    const [name, value] = [text.slice(0, at), text.slice(at + 1)];
    if (at <= 0) this.#lost.push(`the field "${text}" has no name`);
    else if (!isText && /^[@<]/.test(value))
      this.#lost.push(`the field "${name}" stands in the file ${value.slice(1)}`);
    else {
      const [content = '', ...attributes] = isText
        ? [value]
        : value.split(/;(?=\s*(?:type|filename|encoder|headers)=)/);
      const type = attributes.map((one) => /^\s*type=(.*)$/.exec(one)?.[1]).find((one) => one !== undefined);
      this.#form.push([name, isSecretName(name) ? this.#credentials.reference(name) : content, type]);
    }
  }

  action(): ImportedAction {
    const body = this.#body();
    const [first = '', ...others] = this.#urls;
    if (others.length > 0) this.#lost.push(`${others.length} further addresses are requests of their own`);
    const address = this.#address(first);
    const method = this.#verb(Object.keys(body).length > 0);
    const headers = Object.fromEntries(this.#headers.values());
    if (this.#cert !== undefined) this.#params['cert'] = this.#key === undefined ? this.#cert : [this.#cert, this.#key];
    return {
      action: [
        'AT_test_api_method',
        {
          http_method: method,
          test_url: this.#credentials.url(address),
          ...(Object.keys(headers).length > 0 ? { headers } : {}),
          ...(Object.keys(this.#cookies).length > 0 ? { cookies: this.#cookies } : {}),
          ...body,
          ...this.#params,
        },
      ],
      lost: this.#lost,
      secrets: this.#credentials.keys,
    };
  }

  #verb(hasBody: boolean): string {
    const given = this.#method?.toLowerCase();
    if (given !== undefined && !verbs.has(given)) this.#lost.push(`the verb ${this.#method ?? ''} has no counterpart`);
    if (given !== undefined && verbs.has(given)) return given;
    if (this.#isHead) return 'head';
    return hasBody ? 'post' : 'get';
  }

  #address(text: string): string {
    const withScheme = /^(?:[a-z][a-z0-9+.-]*:\/\/|\$\{env:)/i.test(text) ? text : `http://${text}`;
    if (/[[{]/.test(withScheme.replaceAll('${env:', '').replace(/^[a-z]+:\/\/\[[^\]]*\]/i, '')))
      this.#lost.push('a pattern in the address stands for several addresses, and is taken as it is');
    if (this.#isPathKept && /\/\.\.?(?:\/|[?#]|$)/.test(withScheme))
      this.#lost.push('the dots in the path are resolved before it is sent');
    const login = /^([a-z]+:\/\/)([^/@?#]+)@/i.exec(withScheme);
    const plain = login ? withScheme.replace(`${login[2]}@`, '') : withScheme;
    if (login) this.#user(login[2] ?? '');
    const query = [...this.#query, ...(this.#isGet ? this.#data : [])].join('&');
    return query === '' ? plain : `${plain}${plain.includes('?') ? '&' : '?'}${query}`;
  }

  #body(): JsonObject {
    if (this.#isGet) return {};
    if (this.#form.length > 0) return this.#multipart();
    if (this.#data.length === 0) return {};
    const text = this.#data.join(this.#isJson ? '' : '&');
    const body = bodyParams(text, this.#credentials);
    const type = this.#headers.get('content-type')?.[1].toLowerCase() ?? '';
    if (body['json'] !== undefined) {
      // The parameter says so itself; another media type of JSON stays.
      if (/^application\/json\s*(?:;|$)/.test(type)) this.#headers.delete('content-type');
    } else if (!this.#headers.has('content-type')) {
      if (this.#isUntyped) this.#lost.push('curl sends the body without a Content-Type');
      this.#headers.set('content-type', [
        'Content-Type',
        this.#isJson ? 'application/json' : 'application/x-www-form-urlencoded',
      ]);
    }
    if (this.#isJson && !this.#headers.has('accept')) this.#headers.set('accept', ['Accept', 'application/json']);
    return body;
  }

  /** The parts of a form with a boundary that none of them holds. */
  #multipart(): JsonObject {
    let boundary = 'svc-form';
    while (this.#form.some(([, value]) => value.includes(boundary))) boundary += '-';
    const parts = this.#form.map(
      ([name, value, type]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name.replaceAll('"', '%22')}"\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n${value}\r\n`,
    );
    this.#headers.set('content-type', ['Content-Type', `multipart/form-data; boundary=${boundary}`]);
    return { data: `${parts.join('')}--${boundary}--\r\n` };
  }
}
