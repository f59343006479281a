import type { JsonObject } from '#schemas/types/json.ts';

import { formBody, withLists, type FormField } from './form-body.ts';
import { bodyParams, isSecretName, type Credentials } from './request.ts';

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
  /** Names and values of the same texts, not encoded; undefined: a text is none, or may not be encoded. */
  readonly #pairs: (readonly [name: string, value: string] | undefined)[] = [];
  readonly #form: FormField[] = [];
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
    const isOutside = content.includes('${env:');
    if (isOutside && part === 'query') this.#lost.push(notEncoded(name));
    if (part === 'body') this.#pairs.push(name === '' || name.includes('${env:') ? undefined : [name, content]);
    const encoded = isOutside ? content : inForm(content);
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
    return this.#isFromFile || this.#file !== undefined || this.#data.length > 0 || this.#form.length > 0;
  }

  /** No body, for `--get`, which puts texts into the query; JSON keeps its media type. */
  none(headers: Headers): JsonObject {
    if (this.#isJson) this.#type(headers);
    for (const [name, value] of this.#pairs.filter((pair) => pair !== undefined))
      if (value.includes('${env:')) this.#lost.push(notEncoded(name));
    if (this.#file !== undefined) this.#lost.push(`a part of the query stands in ${fileWords(this.#file)}`);
    return {};
  }

  /** The parameters that send it; headers get the media type, where curl would say one. */
  params(headers: Headers): JsonObject {
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
    if (!mayBeFile || !value.startsWith('@')) {
      this.#data.push(value);
      const [, name, plain] = /^([\w.~-]+)=([\w.~-]*)$/.exec(value) ?? [];
      this.#pairs.push(name === undefined || plain === undefined ? undefined : [name, plain]);
    } else if (this.#file === undefined) this.#wholeFile(value.slice(1), isText);
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
    else if (isText) this.#form.push({ name, value: this.#shown(name, value) });
    else if (value.startsWith('@')) this.#uploads(name, value.slice(1));
    else if (value.startsWith('<')) this.#contentOf(name, value.slice(1));
    else {
      const { content, cut, ...said } = this.#told(name, value);
      if (cut !== undefined) this.#lost.push(`curl leaves "${cut}" of the field "${name}" out`);
      this.#form.push({ name, value: this.#shown(name, content), ...said });
    }
    return true;
  }

  #shown(name: string, value: string): string {
    return isSecretName(name) ? this.#credentials.reference(name) : value;
  }

  /** Files that are sent as such; without a media type curl takes that of the ending. */
  #uploads(name: string, text: string): void {
    const { content, type, filename } = this.#told(name, text);
    const files = text.startsWith('"') ? [content] : content.split(',');
    if (files.length > 1) this.#lost.push(`curl puts the files of the field "${name}" into one part`);
    for (const [at, file] of files.entries())
      if (at < files.length - 1) this.#form.push({ name, file, type: typeByEnding(file) });
      else if (file === '-') this.file(`the field "${name}" stands in standard input`);
      else this.#form.push({ name, file, type: type ?? typeByEnding(file), filename });
  }

  /** A file whose content is the value, without the name of a file. */
  #contentOf(name: string, text: string): void {
    const { content: file, type, filename = null } = this.#told(name, text);
    if (file === '-') this.file(`the field "${name}" stands in standard input`);
    else this.#form.push({ name, file, type, filename });
  }

  /** Content with media type and file name; other attributes are told. */
  #told(name: string, text: string): Pick<FormField, 'type' | 'filename'> & Pick<Attributed, 'content' | 'cut'> {
    const { content, attributes, cut } = withAttributes(text);
    const { type, filename, ...others } = attributes;
    for (const [attribute, value] of Object.entries(others))
      this.#lost.push(`the ${attribute} of the field "${name}": ${value}`);
    return { content, cut, ...(type === undefined ? {} : { type }), ...(filename === undefined ? {} : { filename }) };
  }

  /** Fields that are encoded when they are sent, where a value of the environment has to be. */
  #fields(headers: Headers): JsonObject | undefined {
    const fields = this.#pairs.filter((pair) => pair !== undefined);
    const isForm = /^(?:application\/x-www-form-urlencoded)?$/i.test(headers.get('content-type')?.[1] ?? '');
    const isOutside = fields.some(([, value]) => value.includes('${env:'));
    if (!isForm || !isOutside || this.#isJson || fields.length < this.#data.length) return undefined;
    headers.delete('content-type');
    return { data: this.#credentials.json(withLists(fields)) };
  }

  #texts(headers: Headers): JsonObject {
    const fields = this.#fields(headers);
    if (fields) return fields;
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

  #multipart(headers: Headers): JsonObject {
    const { params, type } = formBody(this.#form);
    if (type === undefined) headers.delete('content-type');
    else headers.set('content-type', ['Content-Type', type]);
    return params;
  }
}

/** The media type that curl gives a file of a form by its ending; undefined: bytes. */
export function typeByEnding(file: string): string | undefined {
  return endings.get(/\.\w+$/.exec(file)?.[0].toLowerCase() ?? '');
}

const endings: ReadonlyMap<string, string> = new Map([
  ['.gif', 'image/gif'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain'],
  ['.htm', 'text/html'],
  ['.html', 'text/html'],
  ['.pdf', 'application/pdf'],
  ['.xml', 'application/xml'],
]);

/** A text as a form holds it: letters, digits, `-`, `.`, `_` and `~` stay. */
function inForm(text: string): string {
  const encoded = encodeURIComponent(text.replaceAll('$${', () => '${').replaceAll('\\{{', '{{'));
  return encoded
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

function notEncoded(name: string): string {
  return `curl percent-encodes the value of "${name}", which is sent as it stands in the environment`;
}

/** Words for a file that curl would read. */
export function fileWords(path: string): string {
  return path === '-' ? 'standard input' : `the file ${path}`;
}

interface Attributed {
  readonly content: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text behind a semicolon that is no attribute. */
  readonly cut?: string | undefined;
}

/** Content of a field, which may stand in quotes, and attributes behind it: `;type=…`, `;filename=…`. */
function withAttributes(text: string): Attributed {
  const whole = /^"((?:[^"\\]|\\.)*)"\s*(?=;|$)/.exec(text);
  const plain = /^[^;]*/.exec(text)?.[0] ?? '';
  const parts = text.slice((whole?.[0] ?? plain).length).split(/;(?=\s*(?:type|filename|encoder|headers)=)/);
  const cut = parts[0]?.replace(/^;/, '');
  return {
    content: whole ? unquoted(`"${whole[1] ?? ''}"`) : plain,
    attributes: Object.fromEntries(
      parts.slice(1).map((one) => {
        const at = one.indexOf('=');
        return [one.slice(0, at).trim(), unquoted(one.slice(at + 1))];
      }),
    ),
    ...(cut ? { cut } : {}),
  };
}

/** A text without its quotation marks, in which a backslash keeps a sign. */
function unquoted(text: string): string {
  return /^"(.*)"\s*$/s.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? text;
}
