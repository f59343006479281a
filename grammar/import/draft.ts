import type { Json, JsonObject } from '#schemas/types/json.ts';

import { ONCE } from './curl-headers.ts';
import type { ImportedStep } from './file.ts';
import { FurtherChecks } from './further-checks.ts';
import { formBody, withLists } from './form-body.ts';
import type { FormField as Field } from './form-body.ts';

export type { FormField as Field } from './form-body.ts';
import { bodyParams, isFilled, isSecretName, type Credentials } from './request.ts';
import type { Variables } from './variables.ts';

const verbs = new Set(['get', 'put', 'patch', 'post', 'head', 'delete', 'options']);
/** Headers that a connection sets by itself. */
const ofConnection = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'accept-encoding']);

/**
 * A request of another program while it is read. Texts come as the other program has them; `step` yields the action,
 * with references in place of variables and credentials.
 */
export class RequestDraft {
  readonly lost: string[] = [];
  readonly params: Record<string, Json> = {};
  readonly options: Record<string, Json> = {};
  readonly checks = new FurtherChecks();
  readonly #headers = new Map<string, readonly [name: string, value: string]>();
  readonly #variables: Variables;
  readonly #credentials: Credentials;
  readonly #query: string[] = [];
  #body: JsonObject = {};

  constructor(variables: Variables, credentials: Credentials) {
    this.#variables = variables;
    this.#credentials = credentials;
  }

  text(raw: string): string {
    return this.#variables.text(raw, this.lost);
  }

  /** Takes a header; one of that name that was there is replaced, or gets a further value where it may have several. */
  header(name: string, raw: string, isFurther = false): void {
    const lower = name.trim().toLowerCase();
    if (lower === '' || ofConnection.has(lower)) return;
    if (lower === 'cookie') return this.#cookies(raw);
    if (isFilled(name)) return void this.lost.push(`the header "${name.trim()}", whose name is made when it is sent`);
    const value = this.#credentials.header(name.trim(), this.text(raw));
    const before = !isFurther || ONCE.has(lower) ? undefined : this.#headers.get(lower)?.[1];
    this.#headers.set(lower, [name.trim(), before === undefined ? value : `${before}, ${value}`]);
  }

  /** Takes a parameter of the query; `isEncoded`: what is percent-encoded in it stays so. */
  query(name: string, raw: string, isEncoded = false): void {
    const value = this.text(raw);
    const shown = isSecretName(name) && !isFilled(value) ? this.#credentials.reference(name) : value;
    this.#query.push(`${encoded(this.text(name), isEncoded)}=${encoded(shown, isEncoded)}`);
  }

  basic(user: string, password: string): void {
    const given = this.text(password);
    this.params['auth'] = [this.text(user), isFilled(given) ? given : this.#credentials.reference('API_PASSWORD')];
  }

  digest(user: string, password: string): void {
    this.basic(user, password);
    this.params['auth_scheme'] = 'digest';
  }

  bearer(token: string, scheme = 'Bearer'): void {
    this.header('Authorization', `${scheme} ${token}`);
  }

  /** A body as text: JSON where it is some. */
  body(raw: string, type?: string): void {
    const json = this.#variables.json(raw, this.lost);
    if (json !== undefined) {
      this.#body = { json: this.#credentials.json(json) };
      if (type !== undefined && !/^application\/json\b/i.test(type)) this.#type(type);
      return;
    }
    this.#body = bodyParams(this.text(raw), this.#credentials);
    if (type !== undefined) this.#type(type);
  }

  /** A body that stands in a local file. */
  file(path: string, type?: string): void {
    this.#body = { body_file: this.text(path) };
    if (type !== undefined && type !== '') this.#type(type);
  }

  form(fields: readonly Field[]): void {
    const texts = this.#fields(fields).map(({ name, value = '', file }) => {
      if (file !== undefined) this.lost.push(`the field "${name}" stands in the file ${file}`);
      return [name, value] as const;
    });
    this.#body = { data: withLists(texts) };
  }

  multipart(fields: readonly Field[]): void {
    const { params, type } = formBody(this.#fields(fields));
    this.#headers.delete('content-type');
    if (type !== undefined) this.#type(type);
    this.#body = params;
  }

  graphql(query: string, variables: string): void {
    const json = variables.trim() === '' ? undefined : this.#variables.json(variables, this.lost);
    if (variables.trim() !== '' && json === undefined) this.lost.push('the variables of the query are no JSON object');
    this.#body = { json: { query: this.text(query), ...(json === undefined ? {} : { variables: json }) } };
  }

  /** An exchange of messages in place of a request. */
  webSocket(url: string, messages: readonly string[]): ImportedStep {
    const headers = this.#finalHeaders();
    const params = {
      url: this.#credentials.url(url),
      ...(messages.length > 0 ? { messages } : {}),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
    };
    const action = ['AT_test_api_method_websocket', this.#credentials.plain(params) as JsonObject] as const;
    const options = { ...this.options, expect: 'len(result.messages_received) >= 1' };
    return { action, options, lost: [...new Set(this.lost)] };
  }

  step(method: string, url: string): ImportedStep {
    const verb = method.toLowerCase();
    if (!verbs.has(verb)) this.lost.push(`the verb ${method.toUpperCase()} has no counterpart, and became GET`);
    const isDecided = this.#headers.has('authorization');
    const headers = this.#finalHeaders();
    const query = this.#query.join('&');
    const { address: place, params: login } = this.#credentials.login(url);
    const address = query === '' ? place : `${place}${place.includes('?') ? '&' : '?'}${query}`;
    const params = {
      http_method: verbs.has(verb) ? verb : 'get',
      test_url: this.#credentials.url(address),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      ...this.#body,
      ...(isDecided ? {} : login),
      ...this.params,
    };
    return {
      action: ['AT_test_api_method', this.#credentials.plain(params) as JsonObject],
      options: { ...this.options, expect: this.options['expect'] ?? 'result.status_code < 400' },
      lost: [...new Set(this.lost)],
      behind: this.checks.steps(),
    };
  }

  #finalHeaders(): Record<string, string> {
    const type = this.#headers.get('content-type')?.[1] ?? '';
    // The parameter says so itself.
    if (this.#body['json'] !== undefined && /^application\/json\s*(?:;|$)/i.test(type))
      this.#headers.delete('content-type');
    if (typeof this.#body['data'] === 'object' && /x-www-form-urlencoded/i.test(type))
      this.#headers.delete('content-type');
    return Object.fromEntries(this.#headers.values());
  }

  #type(type: string): void {
    if (!this.#headers.has('content-type')) this.#headers.set('content-type', ['Content-Type', type]);
  }

  #cookies(raw: string): void {
    const cookies: Record<string, string> = {};
    for (const pair of raw.split(';')) {
      const at = pair.indexOf('=');
      if (at <= 0) continue;
      const [name, value] = [pair.slice(0, at).trim(), this.text(pair.slice(at + 1).trim())];
      const isSecret = !isFilled(value) && (isSecretName(name) || /sess|sid|csrf|xsrf|jwt/i.test(name));
      cookies[name] = isSecret ? this.#credentials.reference(`COOKIE_${name}`) : value;
    }
    this.params['cookies'] = { ...(this.params['cookies'] as JsonObject | undefined), ...cookies };
  }

  #fields(fields: readonly Field[]): readonly Field[] {
    return fields.flatMap(({ name, value, file, type, filename }): readonly Field[] => {
      const said = {
        name: this.text(name),
        type: type === undefined ? type : this.text(type),
        filename: typeof filename === 'string' ? this.text(filename) : filename,
      };
      if (file !== undefined) return [{ ...said, file: this.text(file) }];
      if (value === undefined) return [];
      const text = this.text(value);
      const isSecret = isSecretName(name) && text !== '' && !isFilled(text);
      return [{ ...said, value: isSecret ? this.#credentials.reference(name) : text }];
    });
  }
}

/** Percent-encoded but for references, and for what may stand in a query. */
function encoded(text: string, isEncoded: boolean): string {
  if (isFilled(text)) return text;
  return text
    .split(isEncoded ? /(%[\dA-Fa-f]{2}|\+)/ : /(?!)/)
    .map((piece, index) =>
      index % 2 === 1 ? piece : encodeURIComponent(piece).replaceAll('%2C', ',').replaceAll('%3A', ':'),
    )
    .join('');
}
