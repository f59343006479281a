import { ImportError } from './file.ts';

/** One request of a Hurl file, with what is asked of its answer. */
export interface HurlEntry {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HurlPair[];
  /** Sections by name, without brackets. */
  readonly sections: ReadonlyMap<string, readonly HurlPair[]>;
  readonly body: HurlBody | undefined;
  /** Undefined: nothing is asked. */
  readonly answer: HurlAnswer | undefined;
}

export interface HurlPair {
  readonly name: string;
  readonly value: string;
}

export interface HurlBody {
  /** `text`: as it is, `value`: JSON that is no object and no list; else what the file says in its place. */
  readonly kind: 'text' | 'value' | 'graphql' | 'base64' | 'hex' | 'file';
  readonly text: string;
}

export interface HurlAnswer {
  readonly status: number | undefined;
  readonly headers: readonly HurlPair[];
  readonly asserts: readonly string[];
  /** The body that is expected. */
  readonly body: HurlBody | undefined;
}

const request = /^([A-Z]+)\s+(\S.*)$/;
const answer = /^HTTP(?:\/(?:[\d.]+|\*))?\s+(\d{3}|\*)\s*(?:#.*)?$/;
const section = /^\[([A-Z]\w*)\]\s*(?:#.*)?$/;
/** A value of JSON that is neither an object nor a list. */
const scalar = /^(?:"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/** Entries in order. Throws an `ImportError` that names the line which cannot be read. */
export function readHurl(text: string): readonly HurlEntry[] {
  return new Reader(text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)).entries();
}

class Reader {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  entries(): readonly HurlEntry[] {
    const entries: HurlEntry[] = [];
    for (this.#skip(); this.#at < this.#lines.length; this.#skip()) entries.push(this.#entry());
    return entries;
  }

  #entry(): HurlEntry {
    const [, method = '', url = ''] = request.exec(this.#line) ?? [];
    if (method === '' || method === 'HTTP') throw this.#error('is no request line');
    this.#at++;
    const headers = this.#pairs();
    const sections = this.#sections();
    const body = this.#body();
    for (const [name, pairs] of this.#sections()) sections.set(name, pairs);
    this.#skip();
    return { method, url: uncommented(url), headers, sections, body, answer: this.#answer(sections) };
  }

  /** Captures stand behind the answer; they join the sections of the request. */
  #answer(sections: Map<string, readonly HurlPair[]>): HurlAnswer | undefined {
    const found = answer.exec(this.#line);
    if (!found) return undefined;
    this.#at++;
    const headers = this.#pairs();
    const asserts: string[] = [];
    let body: HurlBody | undefined;
    for (this.#skip(); this.#at < this.#lines.length && !request.test(this.#line); this.#skip()) {
      const name = section.exec(this.#line)?.[1];
      if (name === 'Asserts') {
        this.#at++;
        asserts.push(...this.#statements());
      } else if (name === undefined) {
        body = this.#body();
        if (!body) throw this.#error('is neither a section nor a body');
      } else {
        this.#at++;
        sections.set(name, this.#pairs(name));
      }
    }
    const status = found[1] === '*' ? undefined : Number(found[1]);
    return { status, headers, asserts, body };
  }

  #sections(): Map<string, readonly HurlPair[]> {
    const sections = new Map<string, readonly HurlPair[]>();
    for (this.#skip(); ; this.#skip()) {
      const name = section.exec(this.#line)?.[1];
      if (name === undefined || this.#at >= this.#lines.length) return sections;
      this.#at++;
      sections.set(name, this.#pairs(name));
    }
  }

  /** Lines of a name and a value; captures are queries, in which a backslash belongs to a text. */
  #pairs(within = ''): readonly HurlPair[] {
    const pairs: HurlPair[] = [];
    for (this.#skip(); this.#at < this.#lines.length; this.#skip()) {
      const line = this.#line;
      const found =
        /^((?:\{\{[^{}]*\}\}|[^\s:"[{`]|\\.)(?:[^:\\]|\\.)*):([^]*)$/.exec(line) ?? /^([\w-]+)();$/.exec(line);
      if (!found || answer.test(line) || section.test(line) || isRequest(line)) return pairs;
      const value = uncommented(found[2] ?? '');
      pairs.push({
        name: unescaped((found[1] ?? '').trimEnd()),
        value: within === 'Captures' ? value : unescaped(value),
      });
      this.#at++;
    }
    return pairs;
  }

  #statements(): readonly string[] {
    const lines: string[] = [];
    for (this.#skip(); this.#at < this.#lines.length; this.#skip()) {
      const line = this.#line;
      if (section.test(line) || isRequest(line) || /^[{`[]/.test(line)) return lines;
      lines.push(uncommented(line));
      this.#at++;
    }
    return lines;
  }

  #body(): HurlBody | undefined {
    this.#skip();
    const line = this.#line;
    const given = /^(base64|hex|file),(.*?);?$/.exec(line);
    if (given) {
      this.#at++;
      return { kind: given[1] as 'base64' | 'hex' | 'file', text: unescaped(given[2] ?? '') };
    }
    if (line.startsWith('```')) return this.#block();
    if (/^`.*`$/.test(line)) {
      this.#at++;
      return { kind: 'text', text: unescaped(line.slice(1, -1)) };
    }
    if (/^[{[]/.test(line) && !section.test(line)) return { kind: 'text', text: this.#json() };
    if (scalar.test(uncommented(line))) {
      this.#at++;
      return { kind: 'value', text: uncommented(line) };
    }
    if (line.startsWith('<')) return { kind: 'text', text: this.#xml() };
    return undefined;
  }

  #block(): HurlBody {
    const [, language = '', rest = ''] = /^```(\w*)(?:,\w+)*\s*([^]*)$/.exec(this.#line) ?? [];
    const start = ++this.#at;
    if (rest.endsWith('```')) return { kind: 'text', text: rest.slice(0, -3) };
    while (this.#at < this.#lines.length && !(this.#lines[this.#at] ?? '').trimEnd().endsWith('```')) this.#at++;
    if (this.#at >= this.#lines.length) throw new ImportError(`line ${start}: the body has no end`);
    const last = (this.#lines[this.#at] ?? '').trimEnd().slice(0, -3);
    // The line break before the closing sign belongs to the text.
    const text = [...this.#lines.slice(start, this.#at), last].join('\n');
    this.#at++;
    return { kind: language === 'graphql' ? 'graphql' : 'text', text };
  }

  /** Lines until all brackets outside of texts are closed. */
  #json(): string {
    const start = this.#at;
    let depth = 0;
    while (this.#at < this.#lines.length) {
      const plain = (this.#lines[this.#at] ?? '')
        .replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
        .replaceAll(/\{\{[^{}]*\}\}/g, '');
      depth += (plain.match(/[{[]/g)?.length ?? 0) - (plain.match(/[}\]]/g)?.length ?? 0);
      this.#at++;
      if (depth <= 0) return this.#lines.slice(start, this.#at).join('\n');
    }
    throw new ImportError(`line ${start + 1}: the body has no end`);
  }

  /** Lines until the outermost element is closed; without one, until an empty line. */
  #xml(): string {
    const start = this.#at;
    const all = this.#lines.slice(start).join('\n');
    const [, name = ''] = /^(?:\s|<[?!][^>]*>)*<([\w:.-]+)/.exec(all) ?? [];
    const end = name === '' ? -1 : all.indexOf(`</${name}>`);
    const isEnd = (): boolean => this.#line === '' || answer.test(this.#line);
    if (end >= 0) this.#at += all.slice(0, end).split('\n').length;
    while (this.#at < this.#lines.length && !isEnd()) this.#at++;
    return this.#lines.slice(start, this.#at).join('\n');
  }

  #skip(): void {
    while (this.#at < this.#lines.length && /^\s*(?:#.*)?$/.test(this.#lines[this.#at] ?? '')) this.#at++;
  }

  get #line(): string {
    return (this.#lines[this.#at] ?? '').trim();
  }

  #error(why: string): ImportError {
    return new ImportError(`line ${this.#at + 1} ${why}: ${this.#line.slice(0, 80)}`);
  }
}

function isRequest(line: string): boolean {
  return /^[A-Z]+\s+(?:[a-z][a-z0-9+.-]*:\/\/|\{\{)/i.test(line) && request.test(line);
}

/** A text without the backslashes of a Hurl file: breaks, signs by number, and signs that mean themselves. */
function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:u\{([\dA-Fa-f]{1,6})\}|([nrtbf])|(\W))/g,
    (whole, code?: string, letter?: string, sign?: string) => {
      if (code === undefined) return sign ?? { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }[letter ?? ''] ?? whole;
      const point = Number.parseInt(code, 16);
      return point > 0x10_ff_ff ? whole : String.fromCodePoint(point);
    },
  );
}

/** A line without the comment at its end; a `#` inside of a word, a text or a pattern stays. */
function uncommented(text: string): string {
  for (const { 0: piece, index } of text.matchAll(/"(?:[^"\\]|\\.)*"?|(?<!\S)\/(?:[^/\\]|\\.)+\/(?!\S)|(?<=\s)#/g))
    if (piece === '#') return text.slice(0, index).trim();
  return text.trim();
}
