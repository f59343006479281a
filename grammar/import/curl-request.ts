import { CommandLineError } from '#grammar/curl/ast.ts';
import type { Word } from '#grammar/curl/ast.ts';
import { readOption } from '#grammar/curl/options.ts';
import { percentDecoded } from '#grammar/source/percent-decoded.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { expandAddress, isPattern, lastSegment } from './curl-addresses.ts';
import { CurlBody, fileWords } from './curl-body.ts';
import { CurlHeaders } from './curl-headers.ts';
import { CurlVariables } from './curl-variables.ts';
import { Credentials } from './request.ts';
import type { ImportedAction, ImportedParams } from './request.ts';

const verbs = new Set(['get', 'put', 'patch', 'post', 'head', 'delete', 'options']);
/** Options that change what curl prints, or what is so anyway. */
const silent = new Set(
  (
    'silent show-error verbose include fail fail-with-body no-buffer progress-bar no-progress-meter compressed compressed-ssh ' +
    'http1.1 ipv4 ipv6 tlsv1.2 tlsv1.3 no-keepalive keepalive keepalive-time keepalive-cnt disable write-out fail-early ' +
    'styled-output no-styled-output ssl-reqd basic create-dirs remote-time tcp-nodelay tcp-fastopen no-sessionid no-alpn ' +
    'parallel parallel-max suppress-connect-headers trace trace-ascii trace-ids trace-time stderr junk-session-cookies no-clobber'
  ).split(' '),
);
/** Flags without a counterpart; without them curl does what is done here, so `--no-NAME` loses nothing. */
const offUnlessAsked = new Set(
  (
    'anyauth append cert-status crlf false-start haproxy-protocol http0.9 ignore-content-length negotiate netrc netrc-optional ntlm ' +
    'post301 post302 post303 proxy-anyauth proxy-digest proxy-insecure proxy-negotiate proxy-ntlm proxytunnel raw remote-header-name ' +
    'remote-name remote-name-all remove-on-error retry-all-errors retry-connrefused ssl tr-encoding use-ascii xattr'
  ).split(' '),
);

/**
 * Options of one request, or of several that differ in their address alone, as curl reads them up to `--next`.
 */
export class CurlRequest {
  readonly #lost: string[];
  readonly #credentials = new Credentials();
  readonly #headers: CurlHeaders;
  readonly #body: CurlBody;
  readonly #variables: CurlVariables;
  readonly #query: string[] = [];
  readonly #urls: Word[] = [];
  readonly #options: Record<string, Json> = {};
  readonly #params: Record<string, Json> = {};
  #method: string | undefined;
  #isGet = false;
  #isPathKept = false;
  #isHead = false;
  #isDigest = false;
  #isPattern = true;
  #mayRedirect = true;
  #isSigned = false;
  #login: string | undefined;
  #upload: string | undefined;
  /** Place of further options, which are not read. */
  #settings: string | undefined;
  #proxyLogin = false;
  #proxyAddress: string | undefined;
  #cert: string | undefined;
  #key: string | undefined;

  constructor(lost: readonly string[]) {
    this.#lost = [...lost];
    this.#headers = new CurlHeaders(this.#lost, this.#credentials);
    this.#body = new CurlBody(this.#lost, this.#credentials);
    this.#variables = new CurlVariables(this.#lost);
  }

  /** Reads the words; the result is the first mistake, undefined where there is none. */
  read(words: readonly Word[]): CommandLineError | undefined {
    let isOver = false;
    for (let at = 0; at < words.length; at++) {
      const word = words[at];
      if (!word) continue;
      const option = isOver ? undefined : readOption(word.text);
      if (!option) {
        this.#urls.push(word);
        continue;
      }
      if (word.text === '--') isOver = true;
      for (const { name: written, takes } of option.options) {
        const name = written.replace(/^expand-/, '');
        if (takes === 'flag') {
          this.#flag(name);
          continue;
        }
        const value = option.value === undefined ? words[++at] : { ...word, text: option.value };
        if (value === undefined) return new CommandLineError(`the option --${name} has no value`, word.from);
        const next = name === written ? value : { ...value, text: this.#variables.expand(value.text) };
        if (name === 'url') this.#urls.push(next);
        else this.#valued(name, next.text);
      }
    }
    if (this.#urls.length === 0) return new CommandLineError(this.#withoutAddress(), words[0]?.from ?? 0);
    const foreign = this.#urls.find(({ text }) => /^(?!https?:)[a-z][a-z0-9+.-]*:\/\//i.test(text));
    return foreign && new CommandLineError(`its address is none of http or https: ${foreign.text}`, foreign.from);
  }

  #withoutAddress(): string {
    if (this.#settings === undefined) return 'it has no address';
    return `it has no address, and ${fileWords(this.#settings)}, which may name one, is not read: write its options here`;
  }

  #flag(name: string): void {
    if (name.startsWith('no-') && !silent.has(name)) return this.#switchedOff(name.slice('no-'.length));
    switch (name) {
      case 'insecure':
        this.#params['verify'] = false;
        return;
      case 'location':
        this.#params['allow_redirects'] = true;
        return;
      case 'location-trusted':
        this.#params['allow_redirects'] = true;
        this.#params['redirect_headers'] = ['Authorization', 'Cookie'];
        return;
      case 'head':
        this.#isHead = true;
        return;
      case 'get':
        this.#isGet = true;
        return;
      case 'globoff':
        this.#isPattern = false;
        return;
      case 'path-as-is':
        this.#isPathKept = true;
        return;
      case 'digest':
        this.#isDigest = true;
        return;
      case 'http2':
        this.#lost.push('--http2: AT_test_api_method_httpx offers it with `http2: true`');
        return;
      default:
        if (!silent.has(name) && name !== '') this.#lost.push(`the option --${name} has no counterpart`);
    }
  }

  /** `--no-NAME`: what a flag before it switched on is off again. */
  #switchedOff(name: string): void {
    switch (name) {
      case 'insecure':
        if (this.#params['verify'] === false) delete this.#params['verify'];
        return;
      case 'location':
      case 'location-trusted':
        delete this.#params['allow_redirects'];
        delete this.#params['redirect_headers'];
        return;
      case 'get':
        this.#isGet = false;
        return;
      case 'globoff':
        this.#isPattern = true;
        return;
      case 'path-as-is':
        this.#isPathKept = false;
        return;
      case 'digest':
        this.#isDigest = false;
        return;
      default:
        if (!silent.has(name) && !offUnlessAsked.has(name))
          this.#lost.push(`the option --no-${name} has no counterpart`);
    }
  }

  #valued(name: string, value: string): void {
    switch (name) {
      case 'request':
        this.#method = value;
        return;
      case 'header':
        return this.#headers.header(value);
      case 'user-agent':
        this.#headers.option('User-Agent', value);
        return;
      case 'referer':
        this.#headers.option('Referer', value.replace(/;auto$/, ''));
        return;
      case 'time-cond':
        return this.#since(value);
      case 'range':
        this.#headers.option('Range', `bytes=${value}`);
        return;
      case 'oauth2-bearer':
        this.#headers.option('Authorization', `Bearer ${value}`);
        return;
      case 'user':
        this.#login = value;
        return;
      case 'cookie':
        return this.#headers.cookie(value);
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
      case 'url-query':
        // Behind a plus it stands as it is.
        if (value.startsWith('+')) this.#query.push(value.slice(1));
        else this.#body.encoded(value, this.#query, 'query');
        return;
      case 'variable':
        return this.#variables.set(value);
      case 'upload-file':
        this.#upload = value;
        return;
      default:
        if (!this.#body.option(name, value) && !this.#proxyOption(name, value)) this.#otherOption(name, value);
    }
  }

  /** A day in the form of HTTP; curl reads others too, and takes the day of a file. */
  #since(value: string): void {
    const [, isBefore, day] = /^(-?)([A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT)$/.exec(value) ?? [];
    if (day === undefined) this.#lost.push(`the option --time-cond ${value}: its day in the form of HTTP is needed`);
    else this.#headers.option(isBefore === '-' ? 'If-Unmodified-Since' : 'If-Modified-Since', day);
  }

  #proxyOption(name: string, value: string): boolean {
    switch (name) {
      case 'proxy':
      case 'preproxy':
        return this.#proxy(value, 'http');
      case 'socks5':
        return this.#proxy(value, 'socks5');
      case 'socks5-hostname':
        return this.#proxy(value, 'socks5h');
      case 'proxy-user':
        this.#proxyLogin = true;
        return true;
      case 'noproxy':
        if (value === '*') this.#params['proxies'] = {};
        return value === '*';
      default:
        return false;
    }
  }

  #otherOption(name: string, value: string): void {
    if (name === 'retry' && Number(value) > 0) this.#retry({ max_attempts: Number(value) + 1 });
    else if (name === 'retry-delay' && Number(value) > 0) this.#retry({ interval_s: Number(value) });
    else if (name === 'retry-max-time' && Number(value) > 0) this.#retry({ max_s: Number(value) });
    else if (name === 'connect-timeout' && Number(value) > 0)
      this.#params['phase_timeouts'] = { connect: Number(value) };
    else if (name === 'max-redirs') this.#redirects(Number(value));
    else if (name === 'aws-sigv4') this.#isSigned = true;
    else if (name === 'resolve' || name === 'connect-to')
      this.#lost.push(`--${name} ${value}: \`http.dns\` of the configuration names addresses`);
    else if (name === 'config') {
      this.#settings = value;
      this.#lost.push(`options stand in ${fileWords(value)}`);
    } else if (name === 'output' && /^(?:-|\/dev\/null|nul)$/i.test(value)) return;
    else if (!silent.has(name)) this.#lost.push(`the option --${name} has no counterpart`);
  }

  /** Failures that curl takes for passing ones alone are tried again. */
  #retry(part: JsonObject): void {
    const before = this.#options['retry'] as JsonObject | undefined;
    this.#options['retry'] = { ...before, ...part, on: ['network', 'timeout', 'http_5xx'] };
  }

  #redirects(most: number): void {
    if (most === 0) this.#mayRedirect = false;
    else if (most > 0)
      this.#lost.push(`--max-redirs ${most}: \`limits.http_redirects\` of the configuration bounds them`);
  }

  /** User and password of `--user`, or of the address where there is none. A header that is written counts more. */
  #auth(inAddress: string | undefined): JsonObject {
    const login = this.#login ?? inAddress;
    if (login === undefined || this.#isSigned || this.#headers.decides('authorization')) return {};
    // A colon inside of a reference divides nothing.
    const [, user = login, password] = /^((?:\$\{[^}]*\}|[^:$]|\$(?!\{))*):([^]*)$/.exec(login) ?? [];
    const isKey = password === '' && /^(?=.*\d)[\w.-]{16,}$/.test(user);
    const isPlain = password === '' || (password?.includes('${env:') ?? false);
    return {
      // A long name with figures and without a password is a key.
      auth: [
        isKey ? this.#credentials.reference('API_KEY') : user,
        isPlain ? (password ?? '') : this.#credentials.reference('API_PASSWORD'),
      ],
      ...(this.#isDigest ? { auth_scheme: 'digest' } : {}),
    };
  }

  #proxy(value: string, scheme: string): true {
    if (value === '') {
      this.#proxyAddress = undefined;
      this.#params['proxies'] = {};
      return true;
    }
    const address = /^[a-z0-9]+:\/\//i.test(value) ? value : `${scheme}://${value}`;
    this.#proxyLogin ||= /^[a-z0-9]+:\/\/[^/@]*@/i.test(address);
    this.#proxyAddress = address.replace(/^([a-z0-9]+:\/\/)[^/@]*@/i, '$1');
    return true;
  }

  /** The proxy with its login, whose options may stand in any order. */
  #proxies(): JsonObject {
    if (this.#proxyAddress === undefined) return {};
    const login = this.#proxyLogin ? `://${this.#credentials.reference('PROXY_AUTH')}@` : '://';
    return { proxies: { all: this.#proxyAddress.replace('://', () => login) } };
  }

  /** An action for each address. */
  actions(): readonly ImportedAction[] {
    if (this.#upload !== undefined) this.#body.upload(this.#upload);
    if (this.#isPattern && /[{[]/.test(this.#upload ?? ''))
      this.#lost.push(`the pattern ${this.#upload} stands for several files, and is taken as it is`);
    const headers = this.#headers.all();
    const body = this.#isGet ? this.#body.none(headers) : this.#body.params(headers);
    // The length of what is sent, which the client counts.
    if (Object.keys(body).length > 0) headers.delete('content-length');
    for (const name of ['Content-Type', 'Content-Length'])
      if (this.#headers.isWithout(name.toLowerCase()) && Object.keys(body).length > 0)
        this.#lost.push(`curl sends the body without a ${name}`);
    if (this.#cert !== undefined) this.#params['cert'] = this.#key === undefined ? this.#cert : [this.#cert, this.#key];
    if (!this.#mayRedirect) delete this.#params['allow_redirects'];
    const verb = this.#method?.toUpperCase() ?? '';
    if (this.#params['allow_redirects'] === true && !/^(?:|GET|HEAD)$/.test(verb))
      this.#lost.push(`curl sends ${verb} again where a redirect leads, also one that asks for GET`);
    if (this.#isSigned) this.#lost.push('--aws-sigv4: AT_sigv4_headers makes the headers that sign it');
    if (this.#headers.isWithout('accept')) headers.delete('accept');
    const sent = {
      ...(headers.size > 0 ? { headers: Object.fromEntries(headers.values()) } : {}),
      ...this.#headers.cookies(),
      ...body,
    };
    return this.#urls.flatMap(({ text }) => {
      const expanded = this.#isPattern ? expandAddress(text) : undefined;
      if (this.#isPattern && !expanded && isPattern(text))
        this.#lost.push('a pattern in the address stands for several addresses, and is taken as it is');
      return (expanded ?? [text]).map((one) => this.#action(one, sent));
    });
  }

  #action(text: string, sent: JsonObject): ImportedAction {
    const { address, login } = this.#address(text);
    const params = {
      http_method: this.#verb(),
      test_url: this.#credentials.url(address),
      ...sent,
      ...this.#auth(login),
      ...this.#params,
      ...this.#proxies(),
    };
    return {
      action: ['AT_test_api_method', this.#credentials.plain(params) as ImportedParams],
      ...(Object.keys(this.#options).length > 0 ? { options: this.#options } : {}),
      lost: [...new Set(this.#lost)],
      secrets: this.#credentials.keys,
    };
  }

  #verb(): string {
    const given = this.#method?.toLowerCase();
    if (given !== undefined && !verbs.has(given)) this.#lost.push(`the verb ${this.#method ?? ''} has no counterpart`);
    if (given !== undefined && verbs.has(given)) {
      if (this.#method !== given.toUpperCase())
        this.#lost.push(`curl sends the verb as it is written, ${this.#method ?? ''}: servers may refuse it`);
      return given;
    }
    if (this.#isHead) return 'head';
    if (this.#upload !== undefined) return 'put';
    return this.#body.isThere && !this.#isGet ? 'post' : 'get';
  }

  #address(text: string): { readonly address: string; readonly login: string | undefined } {
    const withScheme = /^(?:[a-z][a-z0-9+.-]*:\/\/|\$\{env:)/i.test(text) ? text : `http://${text}`;
    const dots = this.#isPathKept ? /\/(?:\.|%2e){1,2}(?=[/?#]|$)/i : /\/\.?%2e(?:\.|%2e)?(?=[/?#]|$)/i;
    if (dots.test(withScheme.replace(/[?#].*$/s, '')))
      this.#lost.push('the dots in the path are resolved before it is sent');
    const login = /^([a-z]+:\/\/)([^/@?#]+)@/i.exec(withScheme);
    const plain = this.#withName(login ? withScheme.replace(`${login[2]}@`, '') : withScheme);
    const inBody = this.#isGet ? this.#body.query : [];
    if (inBody.length > 0 && this.#query.length > 0)
      this.#lost.push('curl leaves --url-query out beside the texts that --get puts into the query');
    const query = (inBody.length > 0 ? inBody : this.#query).join('&');
    const [, before = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(plain) ?? [];
    return {
      address: query === '' ? plain : `${before}${before.includes('?') ? '&' : '?'}${query}${fragment}`,
      login: login ? percentDecoded(login[2] ?? '') : undefined,
    };
  }

  /** A file that is uploaded to a folder is called there as it is called here. */
  #withName(address: string): string {
    const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(address) ?? [];
    const isHost = /^[a-z]+:\/\/[^/]*$/i.test(path);
    if (this.#upload === undefined || this.#upload === '-' || !(isHost || path.endsWith('/'))) return address;
    return `${path}${isHost ? '/' : ''}${encodeURIComponent(lastSegment(this.#upload))}${rest}`;
  }
}
