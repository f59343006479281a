import type { Json, JsonObject } from '#schemas/types/json.ts';

import { resultPath, simplePath } from './condition.ts';
import { CommandLineError } from '#grammar/curl/ast.ts';
import { importCurl } from './curl.ts';
import { RequestDraft, type Field } from './draft.ts';
import { seconds, withScheme, withShellVariables } from './http-file-texts.ts';
import { ImportError, inOrder, linesText, type ImportedFile, type ImportedStep } from './file.ts';
import { readPostmanScript } from './postman-script.ts';
import { Credentials, isSecretName } from './request.ts';
import { fromHttpFile } from './script-dialects.ts';
import { identifier, Variables } from './variables.ts';

/** A verb before an address; without one it is GET. */
const verb = /^([A-Za-z]+(?:-[A-Za-z]+)*)\s+((?!HTTP\/[\d.]+$)\S.*)$/;
/** A line that takes or runs the requests of another file. */
const elsewhere = /^(?:import|run)\s+\S/;

/**
 * The requests of a `.http` or `.rest` file, as REST Client and the HTTP clients of editors read it, as steps in order.
 */
export async function importHttpFile(text: string): Promise<ImportedFile> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/);
  const reading = new Reading(fileVariables(lines));
  for (const block of blocksOf(lines)) await reading.block(block);
  if (reading.steps.length === 0) throw new ImportError('it has no request');
  const inputs = reading.variables.inputs();
  return {
    from: '.http file',
    meta: Object.keys(inputs).length > 0 ? { inputs } : {},
    steps: inOrder(reading.steps),
    lost: reading.lost,
    secrets: [...new Set([...reading.credentials.keys, ...reading.secrets])],
  };
}

interface Block {
  readonly title: string;
  readonly lines: readonly string[];
}

function blocksOf(lines: readonly string[]): readonly Block[] {
  const blocks: { title: string; lines: string[] }[] = [{ title: '', lines: [] }];
  for (const [index, line] of lines.entries()) {
    const mark = /^###+([^]*)$/.exec(line);
    if (mark) blocks.push({ title: titleOf(mark[1] ?? ''), lines: [] });
    else if (isFurther(line, lines[index - 1], blocks.at(-1)?.lines ?? [])) blocks.push({ title: '', lines: [line] });
    else blocks.at(-1)?.lines.push(line);
  }
  return blocks;
}

/** Whether a line behind an empty one begins a further request, which no separator stands before. */
function isFurther(line: string, above: string | undefined, before: readonly string[]): boolean {
  if (
    above?.trim() !== '' ||
    !/^(?:GET|PUT|PATCH|POST|HEAD|DELETE|OPTIONS)\s+(?:https?:\/\/|\{\{)\S+(?:\s+HTTP\/[\d.]+)?$/.test(line)
  )
    return false;
  const hasRequest = before.some((one) => !isAside(one) && one.trim() !== '');
  // Parts of a body may be whole requests.
  return (
    hasRequest &&
    !before.some((one) => /^content-type\s*:\s*(?:multipart\/|message\/http|application\/http)/i.test(one))
  );
}

/** The words behind a separator; a row of signs is no title. */
function titleOf(text: string): string {
  return /[\p{L}\p{N}]/u.test(text) ? text.trim().replace(/^@name\s+/, '') : '';
}

function fileVariables(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap((line) => {
      const match = /^@([\w.-]+)\s*=([^]*)$/.exec(line);
      return match ? [[match[1] ?? '', (match[2] ?? '').trim()] as const] : [];
    }),
  );
}

/** Notes that a comment above a request makes of it: `# @name login`, `# @timeout = 5`. */
function noteOf(line: string): readonly { readonly key: string; readonly value: string }[] {
  const [, key, value = ''] = /^\s*(?:#|\/\/)\s*@([\w-]+)([^]*)$/.exec(line) ?? [];
  return key === undefined ? [] : [{ key, value: value.trim().replace(/^=\s*/, '') }];
}

class Reading {
  readonly credentials = new Credentials();
  readonly variables: Variables;
  readonly steps: ImportedStep[] = [];
  readonly secrets: string[] = [];
  /** Sentences about lines that belong to no request. */
  readonly lost: string[] = [];
  readonly #named = new Map<string, ImportedStep>();

  constructor(known: ReadonlyMap<string, string>) {
    this.variables = new Variables({ known, builtIn: (name) => this.#builtIn(name) }, this.credentials);
  }

  async block({ title, lines: all }: Block): Promise<void> {
    const { lines, script } = withoutFirstScript(this.#withoutOthers(all));
    const start = lines.findIndex((line) => !isAside(line) && line.trim() !== '');
    if (start < 0 && script > 0) this.lost.push(`a script without a request (${linesText(script)})`);
    if (start < 0) return;
    const notes = lines.slice(0, start).flatMap(noteOf);
    const note = (name: string): string | undefined => notes.find(({ key }) => key === name)?.value;
    const name = note('name') ?? '';
    const step = /^curl\s/.test(lines[start] ?? '')
      ? await this.#curl(lines.slice(start).join('\n'))
      : this.#request(lines.slice(start), note);
    const told =
      script === 0 ? step : { ...step, lost: [`the script before the request (${linesText(script)})`, ...step.lost] };
    const shown = title === '' ? name : title;
    const named =
      shown === '' || told.options['name'] !== undefined
        ? told
        : { ...told, options: { name: this.variables.text(shown, []), ...told.options } };
    this.steps.push(named);
    if (name !== '') this.#named.set(name, named);
  }

  /** Lines without those at the beginning that name requests of other files. */
  #withoutOthers(lines: readonly string[]): readonly string[] {
    const start = lines.findIndex((line) => !isAside(line) && line.trim() !== '' && !elsewhere.test(line));
    return lines.filter((line, index) => {
      const isOther = elsewhere.test(line) && (start < 0 || index < start);
      if (isOther) this.lost.push(`the line "${line.trim()}", which means another file`);
      return !isOther;
    });
  }

  #request(all: readonly string[], note: (key: string) => string | undefined): ImportedStep {
    const draft = new RequestDraft(this.variables, this.credentials);
    const end = all.findIndex((line) => line.trim() === '');
    const lines = all.slice(0, end < 0 ? undefined : end).filter((line) => !isAside(line));
    const rest = end < 0 ? [] : all.slice(end + 1);
    const first = (lines[0] ?? '').trim();
    const [, written = 'GET', place = first] = verb.exec(first) ?? [];
    const method = written.toUpperCase();
    let at = 1;
    let address = place.trim();
    while (at < lines.length && /^(?:\s*[?&]|\s+\/)/.test(lines[at] ?? '')) address += (lines[at++] ?? '').trim();
    address = address.replace(/(?<!\s)\s+HTTP\/[\d.]+$/, '');
    let type: string | undefined;
    let host: string | undefined;
    let isGraphql = method === 'GRAPHQL';
    for (const line of lines.slice(at)) {
      const header = /^([^\s:]+)\s*:\s*([^]*)$/.exec(line);
      if (!header) draft.lost.push(`the line "${line.trim()}"`);
      else if (/^x-request-type$/i.test(header[1] ?? '')) isGraphql ||= /graphql/i.test(header[2] ?? '');
      else if (/^content-type$/i.test(header[1] ?? '')) type = header[2];
      else if (/^host$/i.test(header[1] ?? '')) host = header[2]?.trim();
      else if (/^authorization$/i.test(header[1] ?? '')) authorization(header[2] ?? '', draft);
      else draft.header(header[1] ?? '', header[2] ?? '', true);
    }
    if (method === 'WEBSOCKET') return this.#webSocket(address, rest, draft);
    if (note('no-redirect') === undefined) draft.params['allow_redirects'] = true;
    if (note('prompt') !== undefined) draft.lost.push(`the question for "${note('prompt')}": it is an input`);
    const limit = seconds(note('timeout'));
    if (limit !== undefined) draft.params['timeout'] = limit;
    const script = this.#body(rest, type, isGraphql, draft);
    if (method === 'GRPC') draft.lost.push(`a request of the kind ${method}`);
    const isOther = method === 'GRAPHQL' || method === 'GRPC';
    const target = draft.text(withScheme(address, host));
    // Variables that an answer gives are there for later requests.
    this.#script(script, draft);
    return draft.step(isOther ? (method === 'GRAPHQL' ? 'POST' : 'GET') : method, target);
  }

  #script(lines: readonly string[], draft: RequestDraft): void {
    const { expect, captures, types, rest } = readPostmanScript(lines, fromHttpFile);
    const [first, ...others] = expect;
    if (first !== undefined) draft.options['expect'] = others.length === 0 ? first : [...expect];
    for (const { path, schema } of types) draft.checks.schema(path, schema);
    if (captures.length > 0)
      draft.options['save_as'] = captures.map(({ name, path }) => stored(this.variables.capture(name), path));
    if (rest.length > 0) draft.lost.push(`${linesText(rest.length)} of the script, from: ${rest[0]}`);
  }

  /** Messages that `===` keeps apart; those marked as the ones of the server are answers to wait for. */
  #webSocket(address: string, lines: readonly string[], draft: RequestDraft): ImportedStep {
    const parts = lines
      .join('\n')
      .split(/^===.*$/m)
      .map((part) => part.trim())
      .filter((part) => part !== '');
    const files = parts.filter((part) => /^<\s/.test(part));
    for (const part of files) draft.lost.push(`a message that stands in a file: ${part}`);
    const messages = parts.filter((part) => !files.includes(part)).map((part) => draft.text(part));
    return draft.webSocket(draft.text(address), messages);
  }

  /** Takes the body; yields the lines of the script behind it. */
  #body(all: readonly string[], type: string | undefined, isGraphql: boolean, draft: RequestDraft): readonly string[] {
    const { lines, script } = withoutScripts(all);
    this.#content(lines, type, isGraphql, draft);
    return script;
  }

  #content(lines: readonly string[], type: string | undefined, isGraphql: boolean, draft: RequestDraft): void {
    const kept: string[] = [];
    const files: string[] = [];
    for (const line of lines) {
      if (/^>>?!?\s+\S/.test(line)) draft.lost.push(`the answer is written to a file: ${line.trim()}`);
      else if (/^<>\s/.test(line)) continue;
      else if (/^<@?\w*\s+\S/.test(line)) files.push(line.trim());
      else if (/^\?\?\s/.test(line)) asserted(line.slice(2).trim(), draft);
      // Comments and values of variables are no part of a body.
      else if (!isAside(line)) kept.push(line);
    }
    const text = kept.join('\n').trim();
    const form = files.length > 0 && isMultipart(type) ? readMultipart(lines, type) : undefined;
    if (form) return draft.multipart(form);
    const whole = files.length === 1 && text === '' ? /^<\s+(\S[^]*)$/.exec(files[0] ?? '')?.[1] : undefined;
    if (whole !== undefined) return draft.file(whole, type);
    const filled = files.length === 1 && text === '' ? /^<@\w*\s+(\S[^]*)$/.exec(files[0] ?? '')?.[1] : undefined;
    if (filled !== undefined) {
      draft.lost.push(`the variables in the file ${filled}, which is sent as it is`);
      return draft.file(filled, type);
    }
    for (const line of files) draft.lost.push(`a part of the body stands in a file: ${line}`);
    if (type !== undefined && (text === '' || !/multipart/i.test(type))) draft.header('Content-Type', type);
    if (text === '') return;
    if (isGraphql) {
      const at = variablesBegin(text);
      draft.graphql(text.slice(0, at), text.slice(at));
    } else if (type !== undefined && /multipart/i.test(type)) {
      draft.header('Content-Type', type);
      draft.params['data'] = draft.text(`${text.replaceAll('\n', '\r\n')}\r\n`);
    } else if (type !== undefined && /x-www-form-urlencoded/i.test(type)) draft.body(inOneLine(text), type);
    else draft.body(text, type);
  }

  async #curl(text: string): Promise<ImportedStep> {
    const { line, names } = withShellVariables(text.trim());
    const imported = await importCurl(line);
    if (imported instanceof CommandLineError) throw new ImportError(`a curl line cannot be read: ${imported.reason}`);
    this.secrets.push(...imported.secrets);
    const lost = [...imported.lost];
    const [command, params] = imported.action;
    const action = [command, this.#filled(params, names, lost) as JsonObject] as const;
    return { action, options: { expect: 'result.status_code < 400' }, lost };
  }

  /** A value with the variables of the file in place of those of the shell that stood for them. */
  #filled(value: Json, names: readonly string[], lost: string[]): Json {
    if (typeof value === 'string')
      return value.replace(/\$\{env:SVC_VARIABLE_(\d+)\}/g, (_, at: string) =>
        this.variables.text(`{{${names[Number(at)] ?? ''}}}`, lost),
      );
    if (Array.isArray(value)) return value.map((item: Json) => this.#filled(item, names, lost));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, this.#filled(item ?? null, names, lost)]),
    );
  }

  #builtIn(name: string): string | null | undefined {
    const part = /^([\w-]+)\.(response|request)\.(body|headers)\.?(.*)$/.exec(name);
    if (part) return this.#answerPart(part[1] ?? '', part[2] === 'response', part[3] ?? '', part[4] ?? '');
    const variable = /^\$(?:processEnv\s+%?|env\.)(\w+)$/.exec(name);
    if (variable) return `\${env:${variable[1]}}`;
    const dotenv = /^\$dotenv\s+%?(\w+)$/.exec(name);
    if (dotenv) return `\${ENV.${dotenv[1]}}`;
    if (!name.startsWith('$')) return undefined;
    if (/^\$(?:guid|uuid|random\.uuid)$/.test(name)) return '${uuid:v4}';
    if (name === '$timestamp') return '${date:%s}';
    return /^\$(?:isoTimestamp|datetime\s+iso8601)$/.test(name) ? '${date:!%Y-%m-%dT%H:%M:%S.%LZ}' : null;
  }

  /** Reference to a part of an earlier answer, which the step that got the answer stores. */
  #answerPart(name: string, isAnswer: boolean, place: string, path: string): string | null {
    const step = this.#named.get(name);
    const pieces = place === 'headers' ? [path.toLowerCase()] : simplePath(path === '*' ? '' : path);
    if (!step || !isAnswer || !pieces || (place === 'headers' && path === '')) return null;
    const own = identifier([name, ...pieces].join('_'));
    const saved = (step.options['save_as'] ?? []) as Json[];
    const from = place === 'headers' ? resultPath('headers', pieces) : resultPath('json', pieces);
    if (!saved.some((one) => (one as { readonly name: string }).name === own))
      (step.options as Record<string, Json>)['save_as'] = [...saved, stored(own, from)];
    return `{{${own}}}`;
  }
}

function stored(name: string, path: string): JsonObject {
  return { name, path, ...(isSecretName(name) ? { secret: true } : {}) };
}

/** A line `?? status == 200`. */
function asserted(text: string, draft: RequestDraft): void {
  const [, sign, status] = /^status\s*(==|!=|>=?|<=?)\s*(\d{3})$/.exec(text) ?? [];
  if (status === undefined) draft.lost.push(`the assertion "${text}"`);
  else draft.options['expect'] = `result.status_code ${sign} ${status}`;
}

/** Lines of a request without the script before it, and the number of that script's lines. */
function withoutFirstScript(lines: readonly string[]): { readonly lines: readonly string[]; readonly script: number } {
  const start = lines.findIndex((line) => !isAside(line) && line.trim() !== '');
  const first = lines[start] ?? '';
  if (!/^<\s*\{%/.test(first) && !block.test(first)) return { lines, script: 0 };
  const closing = block.test(first) ? /^\}\}\s*$/ : /%\}\s*$/;
  const end = lines.findIndex((line, index) => index >= start && closing.test(line));
  const after = end < 0 ? lines.length : end + 1;
  return { lines: [...lines.slice(0, start), ...lines.slice(after)], script: after - start };
}

/** The first line of a script in braces of its own. */
const block = /^\{\{[@+]?\w*\s*$/;

/** Lines of a body apart from those of scripts, without the signs around these. */
function withoutScripts(all: readonly string[]): {
  readonly lines: readonly string[];
  readonly script: readonly string[];
} {
  const lines: string[] = [];
  const script: string[] = [];
  let closing: RegExp | undefined;
  for (const line of all) {
    const isBlock = closing === undefined && block.test(line);
    if (closing === undefined && !isBlock && !/^[<>]\s*\{%/.test(line)) {
      lines.push(line);
      continue;
    }
    closing ??= isBlock ? /^\}\}\s*$/ : /%\}\s*$/;
    const code = isBlock ? '' : line.replace(/^[<>]\s*\{%/, '').replace(closing, '');
    if (closing.test(line)) closing = undefined;
    if (code.trim() !== '') script.push(code);
  }
  return { lines, script };
}

function isMultipart(type: string | undefined): type is string {
  return type !== undefined && /^multipart\/form-data\s*;/i.test(type);
}

/** Fields of a form that is written out, files as `< PATH`; undefined: it has a part of another form. */
function readMultipart(lines: readonly string[], type: string): readonly Field[] | undefined {
  const boundary = /boundary\s*=\s*"?([^";]+)"?/i.exec(type)?.[1]?.trim();
  const parts = boundary === undefined ? [] : lines.join('\n').split(`--${boundary}`).slice(1);
  const end = parts.findIndex((part) => part.startsWith('--'));
  const fields = parts.slice(0, end < 0 ? undefined : end).map((part): Field | undefined => {
    const [head = '', ...rest] = part.trim().split(/\n\s*\n/);
    const [, disposition = ''] = /^content-disposition:(.*)$/im.exec(head) ?? [];
    const [, name] = /[;\s]name="([^"]*)"/i.exec(disposition) ?? [];
    const [, filename] = /[;\s]filename="([^"]*)"/i.exec(disposition) ?? [];
    const [, type] = /^content-type:\s*(.*\S)/im.exec(head) ?? [];
    const content = rest.join('\n\n').trim();
    const file = /^<\s+(\S.*)$/.exec(content)?.[1];
    if (name === undefined || (file === undefined && /^</m.test(content))) return undefined;
    if (file === undefined) return { name, value: content, type, filename };
    const isOwn = filename !== undefined && file.endsWith(filename);
    return { name, file, type, filename: isOwn ? undefined : (filename ?? null) };
  });
  return fields.includes(undefined) ? undefined : fields.flatMap((field) => field ?? []);
}

/** Place of the variables of a GraphQL request, which stand behind an empty line; the end of the text without them. */
function variablesBegin(text: string): number {
  for (const { 0: blank, index } of text.matchAll(/(?<!\s)\s+(?=\{)/g)) if (/\n[^\S\n]*\n/.test(blank)) return index;
  return text.length;
}

/** A form whose fields stand in lines of their own. */
function inOneLine(form: string): string {
  const fields = form.split('&');
  return fields
    .map((field, index) => {
      const isBehindBreak = index > 0 && /^\s*/.exec(field)?.[0].includes('\n') === true;
      const kept = isBehindBreak ? field.trimStart() : field;
      const isBeforeBreak = index < fields.length - 1 && /^[ \t]*\n/.test(fields[index + 1] ?? '');
      const end = kept.trimEnd();
      return isBeforeBreak || kept.slice(end.length).includes('\n') ? end : kept;
    })
    .join('&');
}

/** A comment, or the value of a variable. */
function isAside(line: string): boolean {
  return /^\s*(?:#|\/\/)/.test(line) || /^@[\w.-]+\s*=/.test(line);
}

/** `Basic user password` and `Basic user:password` are encoded by the program that reads the file. */
function authorization(value: string, draft: RequestDraft): void {
  const login = /^Basic\s+([^\s:]+):(\S+)$/i.exec(value.trim()) ?? /^Basic\s+(\S+)\s+(\S+)$/i.exec(value.trim());
  const digest = /^Digest\s+(\S+)\s+(\S+)$/i.exec(value.trim());
  if (login) draft.basic(login[1] ?? '', login[2] ?? '');
  else if (digest) draft.digest(digest[1] ?? '', digest[2] ?? '');
  else if (/^(?:Digest|AWS|NTLM)\s/i.test(value)) draft.lost.push(`the authentication "${value.split(/\s/)[0] ?? ''}"`);
  else draft.header('Authorization', value);
}
