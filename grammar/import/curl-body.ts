import type { JsonObject } from '#schemas/types/json.ts';

import { bodyParams, isSecretName, type Credentials } from './request.ts';

/** A text of a form, with the media type that is given for it. */
type Field = readonly [name: string, value: string, type: string | undefined];

/** Headers of a request by their names in small letters. */
export type Headers = Map<string, readonly [name: string, value: string]>;

/**
 * The body of a curl command line: texts, JSON, forms, files. Parts that stand in files of the other machine are told,
 * but for one that is the whole body and those of a form, which are sent by path.
 */
export class CurlBody {
  readonly #lost: string[];
  readonly #credentials: Credentials;
  readonly #data: string[] = [];
  readonly #form: Field[] = [];
  readonly #files: Record<string, string> = {};
  #isJson = false;
  #isFromFile = false;
  #file: string | undefined;
  /** Whether it has the media type of a form, or of JSON. */
  #isTyped = false;

  constructor(lost: string[], credentials: Credentials) {
    this.#lost = lost;
    this.#credentials = credentials;
  }

  /** Takes an option that speaks of the body; false: it is none. */
  option(name: string, value: string): boolean {
    switch (name) {
      case 'json':
        this.#isJson = true;
        return this.#content(value, true);
      case 'data':
      case 'data-ascii':
        return this.#content(value, true, true);
      case 'data-binary':
        return this.#content(value, true);
      case 'data-raw':
        return this.#content(value, false);
      case 'data-urlencode':
        return this.encoded(value, this.#data);
      case 'form':
      case 'form-string':
        return this.#field(value, name === 'form-string');
      default:
        return false;
    }
  }

  /** The texts as a query, for `--get`. */
  get query(): readonly string[] {
    return this.#data;
  }

  /** Says that a part of the body stands elsewhere: the request has a body all the same. */
  file(lost: string): void {
    this.#lost.push(lost);
    this.#isFromFile = true;
  }

  /** `content`, `=content`, `name=content`, `@file`, `name@file`: the content is encoded, the name is not. */
  encoded(value: string, target: string[], part: 'body' | 'query' = 'body'): true {
    const at = value.search(/[=@]/);
    if (at >= 0 && value[at] === '@') {
      const lost = `a part of the ${part} stands in ${fileWords(value.slice(at + 1))}`;
      if (part === 'body') this.file(lost);
      else this.#lost.push(lost);
      return true;
    }
    const [name, content] = at < 0 ? ['', value] : [value.slice(0, at), value.slice(at + 1)];
    const encoded = content.includes('${env:') ? content : inForm(content);
    target.push(name === '' ? encoded : `${name}=${encoded}`);
    return true;
  }

  /** Takes a file as the whole body; a second part beside it cannot be sent with it. */
  upload(path: string): void {
    if (path === '-' || path === '.') this.file(`the body stands in ${fileWords('-')}`);
    else this.#file = path;
  }

  /** Whether anything is sent. */
  get isThere(): boolean {
    return (
      this.#isFromFile ||
      this.#file !== undefined ||
      this.#data.length > 0 ||
      this.#form.length > 0 ||
      Object.keys(this.#files).length > 0
    );
  }

  /** No body, for `--get`, which puts texts into the query; JSON keeps its media type. */
  none(headers: Headers): JsonObject {
    if (this.#isJson) this.#type(headers);
    if (this.#file !== undefined) this.#lost.push(`a part of the query stands in ${fileWords(this.#file)}`);
    return {};
  }

  /** The parameters that send it; headers get the media type, where curl would say one. */
  params(headers: Headers): JsonObject {
    if (Object.keys(this.#files).length > 0) return this.#withFiles(headers);
    if (this.#form.length > 0) return this.#multipart(headers);
    const file = this.#file === undefined ? {} : { body_file: this.#file };
    if (this.#data.length > 0) {
      if (this.#file !== undefined) this.file(`a part of the body stands in ${fileWords(this.#file)}`);
      return this.#texts(headers);
    }
    if (this.#isFromFile || this.#isTyped) this.#type(headers);
    return file;
  }

  /** `isText`: curl takes the ends of lines out of a file. */
  #content(value: string, mayBeFile: boolean, isText = false): true {
    if (!mayBeFile || !value.startsWith('@')) this.#data.push(value);
    else if (this.#file === undefined) this.#wholeFile(value.slice(1), isText);
    else this.file(`a part of the body stands in ${fileWords(value.slice(1))}`);
    return true;
  }

  #wholeFile(path: string, isText: boolean): void {
    this.#isTyped = true;
    this.upload(path);
    if (isText && path !== '-') this.#lost.push(`curl sends ${fileWords(path)} without the ends of its lines`);
  }

  #field(text: string, isText: boolean): true {
    const at = text.indexOf('=');
    const [name, value] = [text.slice(0, at), text.slice(at + 1)];
    if (at <= 0) this.#lost.push(`the field "${text}" has no name`);
    else if (!isText && value.startsWith('@')) this.#upload(name, value.slice(1));
    else if (!isText && value.startsWith('<')) this.file(`the field "${name}" stands in ${fileWords(value.slice(1))}`);
    else {
      const { content, attributes, cut } = isText ? { content: value, attributes: {} } : withAttributes(value);
      if (cut !== undefined) this.#lost.push(`curl leaves "${cut}" of the field "${name}" out`);
      for (const [attribute, told] of Object.entries(attributes))
        if (attribute !== 'type') this.#lost.push(`the ${attribute} of the field "${name}": ${told}`);
      const shown = isSecretName(name) ? this.#credentials.reference(name) : content;
      this.#form.push([name, shown, attributes['type']]);
    }
    return true;
  }

  #upload(name: string, text: string): void {
    const { content, attributes } = withAttributes(text);
    const [path = '', ...others] = text.startsWith('"') ? [content] : content.split(',');
    for (const other of others) this.file(`the field "${name}" holds ${fileWords(other)} too`);
    if (path === '-') this.file(`the field "${name}" stands in standard input`);
    else if (Object.hasOwn(this.#files, name)) this.file(`the field "${name}" holds ${fileWords(path)} too`);
    else {
      this.#files[name] = path;
      for (const [attribute, value] of Object.entries(attributes))
        this.#lost.push(`the ${attribute} of the field "${name}": ${value}`);
    }
  }

  #texts(headers: Headers): JsonObject {
    const body = bodyParams(this.#data.join(this.#isJson ? '' : '&'), this.#credentials);
    const type = headers.get('content-type')?.[1] ?? '';
    if (body['json'] === undefined) this.#type(headers);
    else {
      // The parameter says so itself; another media type stays, and that of a form where none is given.
      if (/^application\/json$/i.test(type) || (type === '' && this.#isJson)) headers.delete('content-type');
      else this.#type(headers);
      this.#accept(headers);
    }
    return body;
  }

  /** The media types that curl gives a body and asks for. */
  #type(headers: Headers): void {
    const type = this.#isJson ? 'application/json' : 'application/x-www-form-urlencoded';
    if (!headers.has('content-type')) headers.set('content-type', ['Content-Type', type]);
    this.#accept(headers);
  }

  #accept(headers: Headers): void {
    if (this.#isJson && !headers.has('accept')) headers.set('accept', ['Accept', 'application/json']);
  }

  #withFiles(headers: Headers): JsonObject {
    const data: Record<string, string | string[]> = {};
    for (const [name, value, type] of this.#form) {
      const before = Object.hasOwn(data, name) ? data[name] : undefined;
      data[name] = before === undefined ? value : [before, value].flat();
      if (type !== undefined) this.#lost.push(`the type of the field "${name}": ${type}`);
    }
    headers.delete('content-type');
    return { files: { ...this.#files }, ...(this.#form.length > 0 ? { data } : {}) };
  }

  /** The parts of a form with a boundary that none of them holds. */
  #multipart(headers: Headers): JsonObject {
    let boundary = 'svc-form';
    while (this.#form.some(([, value]) => value.includes(boundary))) boundary += '-';
    const parts = this.#form.map(([name, value, type]) => {
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name.replaceAll('"', '%22')}"\r\n`;
      return `${head}${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n${value}\r\n`;
    });
    headers.set('content-type', ['Content-Type', `multipart/form-data; boundary=${boundary}`]);
    return { data: `${parts.join('')}--${boundary}--\r\n` };
  }
}

/** A text as a form holds it: letters, digits, `-`, `.`, `_` and `~` stay. */
function inForm(text: string): string {
  const encoded = encodeURIComponent(text.replaceAll('$${', () => '${').replaceAll('\\{{', '{{'));
  return encoded
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

/** Words for a file that curl would read. */
export function fileWords(path: string): string {
  return path === '-' ? 'standard input' : `the file ${path}`;
}

interface Attributed {
  readonly content: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text behind a semicolon that is no attribute. */
  readonly cut?: string;
}

/** Content of a field, which may stand in quotes, and attributes behind it: `;type=…`, `;filename=…`. */
function withAttributes(text: string): Attributed {
  const whole = /^"((?:[^"\\]|\\.)*)"\s*(?=;|$)/.exec(text);
  const plain = /^[^;]*/.exec(text)?.[0] ?? '';
  const parts = text.slice((whole?.[0] ?? plain).length).split(/;(?=\s*(?:type|filename|encoder|headers)=)/);
  const cut = parts[0]?.replace(/^;/, '');
  return {
    content: whole ? (whole[1] ?? '').replaceAll(/\\(["\\])/g, '$1') : plain,
    attributes: Object.fromEntries(
      parts.slice(1).map((one) => {
        const at = one.indexOf('=');
        return [one.slice(0, at).trim(), one.slice(at + 1).replace(/^"(.*)"$/, '$1')];
      }),
    ),
    ...(cut ? { cut } : {}),
  };
}
