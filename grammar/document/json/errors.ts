import { createScanner } from 'jsonc-parser';
import type { JSONScanner } from 'jsonc-parser';

import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Span } from '#schemas/types/place.ts';
import { nearest } from '#grammar/language/nearest.ts';
import { endOfLine } from '#grammar/source/lines.ts';
import { hex } from '#grammar/source/text.ts';

import { shorten, textFix } from '../findings.ts';
import type { Findings } from '../findings.ts';

/**
 * The kinds of tokens of jsonc-parser's scanner: its own enum is `const` and cannot be imported by erasable TypeScript.
 */
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST, COMMA, COLON] = [1, 2, 3, 4, 5, 6] as const;
const [NULL, TRUE, FALSE, TEXT, NUMBER, LINE_COMMENT, BLOCK_COMMENT, LINE_BREAK, BLANKS, UNKNOWN, END] = [
  7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
] as const;
const [TEXT_NOT_CLOSED, BAD_UNICODE, BAD_ESCAPE, CONTROL_CHARACTER] = [2, 4, 5, 6] as const;

/** After so many the file is likely not JSON at all. */
const MOST_ERRORS = 20;

/** Errors that say nothing about what follows them. */
const LOCAL: ReadonlySet<string> = new Set([
  'json-trailing-comma',
  'json-comment',
  'json-escape',
  'json-control-character',
  'json-number-form',
  'json-unknown-word',
  'not-finite',
]);

/**
 * Reports what keeps a text from being JSON, recovering after each error to find the next. At most one a line: what
 * follows on the same line mostly comes from the first. Call it only with a text that JSON.parse has refused and whose
 * depth is bounded; it reports at least one error then.
 */
export function reportJsonErrors(text: string, findings: Findings): void {
  const parser = new RecoveringParser(text, findings);
  parser.document();
  if (parser.found === 0) findings.add(d.jsonSyntax({ at: findings.at({ start: 0, end: Math.min(1, text.length) }) }));
}

interface Opening {
  readonly kind: 'object' | 'list';
  readonly start: number;
}

class RecoveringParser {
  readonly #text: string;
  readonly #findings: Findings;
  readonly #scanner: JSONScanner;
  readonly #open: Opening[] = [];
  #token: number = UNKNOWN;
  #previousEnd = 0;
  /** The structure is unknown from here on: what would be reported further down is not to be trusted. */
  #lost = false;
  #lastError = { at: -1, lineEnd: -1 };
  /** A text was not closed, so the next thing that looks wrong may be its consequence. */
  #isDoubtful = false;
  found = 0;

  constructor(text: string, findings: Findings) {
    this.#text = text;
    this.#findings = findings;
    this.#scanner = createScanner(text, false);
  }

  document(): void {
    this.#next();
    this.#value();
    if (this.#token !== END && !this.#lost)
      this.#report(d.jsonContentAfterEnd({ at: this.#here(), found: this.#shown() }));
  }

  #value(): void {
    switch (this.#token) {
      case OPEN_OBJECT:
        return this.#object();
      case OPEN_LIST:
        return this.#list();
      case NUMBER:
        return this.#number();
      case UNKNOWN:
        return this.#word();
      case TEXT:
      case NULL:
      case TRUE:
      case FALSE:
        return this.#next();
      case END:
        return this.#notClosed();
      default:
        return this.#report(d.jsonValueExpected({ at: this.#here(), found: this.#shown() }));
    }
  }

  #object(): void {
    this.#enter('object');
    while (!this.#closes(CLOSE_OBJECT, CLOSE_LIST)) {
      if (!this.#key()) continue;
      if (this.#token === COLON) this.#next();
      else if (this.#token !== END) this.#report(d.jsonColonExpected({ at: this.#here() }));
      if (this.#token !== COMMA && this.#token !== CLOSE_OBJECT) this.#value();
      else this.#report(d.jsonValueExpected({ at: this.#here(), found: this.#shown() }));
      this.#separator(CLOSE_OBJECT);
    }
  }

  #list(): void {
    this.#enter('list');
    while (!this.#closes(CLOSE_LIST, CLOSE_OBJECT)) {
      this.#value();
      if (this.#token === COLON) this.#strayColon();
      this.#separator(CLOSE_LIST);
    }
  }

  #enter(kind: Opening['kind']): void {
    this.#open.push({ kind, start: this.#scanner.getTokenOffset() });
    this.#next();
  }

  /** Whether the innermost bracket is done with: closed, or nothing more can be said. */
  #closes(own: number, other: number): boolean {
    if (this.#lost) return true;
    if (this.#token === END) {
      this.#notClosed();
      return true;
    }
    if (this.#token === other) {
      this.#wrongBracket();
      return true;
    }
    if (this.#token !== own) return false;
    this.#open.pop();
    this.#next();
    return true;
  }

  /** Reads a key; false where there is none and the loop should look again. */
  #key(): boolean {
    if (this.#token === TEXT) {
      this.#next();
      return true;
    }
    const at = this.#here();
    const found = this.#shown();
    if (this.#token === UNKNOWN || this.#token === NUMBER || this.#isKeyword()) {
      const place = this.#wholeWord();
      const word = this.#text.slice(place.start, place.end).replace(/^'(.*)'$/, '$1');
      this.#report(
        d.jsonKeyExpected({
          at: this.#findings.at(place),
          found: shorten(this.#text.slice(place.start, place.end)),
          fixes: [textFix('put the key in double quotes', 'safe', place, JSON.stringify(word))],
        }),
      );
      this.#continueAt(place.end);
      return true;
    }
    this.#report(d.jsonKeyExpected({ at, found }));
    if (this.#token === COLON) return true;
    if (this.#token === COMMA) this.#next();
    else this.#value();
    return false;
  }

  #separator(close: number): void {
    if (this.#lost || this.#token === close || this.#token === END) return;
    if (this.#token === COMMA) {
      const comma = this.#place();
      this.#next();
      if (this.#token === close) {
        this.#report(
          d.jsonTrailingComma({
            at: this.#findings.at(comma),
            fixes: [textFix('remove the comma', 'safe', comma, '')],
          }),
        );
      }
      return;
    }
    if (this.#token === CLOSE_LIST || this.#token === CLOSE_OBJECT) return;
    const at = { start: this.#previousEnd, end: this.#previousEnd };
    this.#report(
      d.jsonCommaExpected({
        at: this.#here(),
        found: this.#shown(),
        fixes: [textFix('insert a comma', 'safe', at, ',')],
      }),
    );
    if (this.#token === COLON) this.#strayColon();
  }

  #strayColon(): void {
    this.#report(d.jsonCommaExpected({ at: this.#here(), found: this.#shown() }));
    this.#next();
    if (this.#token !== COMMA && this.#token !== CLOSE_LIST && this.#token !== CLOSE_OBJECT) this.#value();
  }

  #notClosed(): void {
    const opening = this.#open.at(-1);
    if (opening !== undefined) {
      this.#report(
        d.jsonNotClosed({
          at: this.#findings.at({ start: opening.start, end: opening.start + 1 }),
          what: opening.kind,
        }),
      );
    } else if (this.found === 0) {
      this.#report(d.jsonValueExpected({ at: this.#here(), found: this.#shown() }));
    }
    this.#lost = true;
  }

  #wrongBracket(): void {
    const opening = this.#open.at(-1);
    if (opening === undefined) return;
    const what = opening.kind;
    this.#report(
      d.jsonWrongBracket({
        at: this.#here(),
        found: what === 'object' ? ']' : '}',
        expected: what === 'object' ? '}' : ']',
        what,
        related: [this.#findings.at({ start: opening.start, end: opening.start + 1 }, `the ${what} begins here`)],
      }),
    );
    this.#lost = true;
  }

  #number(): void {
    const place = this.#wholeWord();
    const word = this.#text.slice(place.start, place.end);
    if (!/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/.test(word)) {
      this.#report(d.jsonNumberForm({ at: this.#findings.at(place), found: shorten(word) }));
    }
    this.#continueAt(place.end);
  }

  #word(): void {
    const place = this.#wholeWord();
    const word = this.#text.slice(place.start, place.end);
    this.#report(this.#wordProblem(word, place));
    this.#continueAt(place.end);
  }

  #wordProblem(word: string, place: Span): Diagnostic {
    const at = this.#findings.at(place);
    if (/^[\s\p{C}\p{Z}]/u.test(word))
      return d.jsonValueExpected({ at, found: `the character U+${hex(word.codePointAt(0) ?? 0, 4)}` });
    if (/^[-+.]?[0-9.]/.test(word)) return d.jsonNumberForm({ at, found: shorten(word) });
    if (/^[-+]?(?:NaN|Infinity)$/.test(word)) return d.notFinite({ at, literal: word });
    const found = shorten(word);
    const meant = keywordMeant(word) ?? nearest(word, ['false', 'null', 'true']);
    if (meant !== undefined)
      return d.jsonUnknownWord({ at, found, nearest: meant, fixes: [textFix(`write ${meant}`, 'safe', place, meant)] });
    const inner = /^'(.*)'$/.exec(word)?.[1] ?? word;
    return d.jsonUnknownWord({
      at,
      found,
      fixes: [textFix('put it in double quotes', 'unsafe', place, JSON.stringify(inner))],
    });
  }

  /** Span from the token on of all that no blank or bracket divides; a text in single quotes with its blanks. */
  #wholeWord(): Span {
    const start = this.#scanner.getTokenOffset();
    const quoted = /'[^'\r\n]*'/y;
    quoted.lastIndex = start;
    if (quoted.test(this.#text)) return { start, end: quoted.lastIndex };
    const word = /[^\s\p{C}\p{Z}{}[\]",:/]+/uy;
    word.lastIndex = start;
    return { start, end: word.test(this.#text) ? word.lastIndex : start + 1 };
  }

  /**
   * Goes on behind a word, and behind what the scanner has taken for one: never back, so that the whole stays linear.
   */
  #continueAt(offset: number): void {
    const end = Math.max(offset, this.#scanner.getPosition());
    this.#scanner.setPosition(end);
    this.#previousEnd = end;
    this.#advance();
  }

  #next(): void {
    this.#previousEnd = this.#scanner.getTokenOffset() + this.#scanner.getTokenLength();
    this.#advance();
  }

  #advance(): void {
    for (;;) {
      if (this.#lost) {
        this.#token = END;
        return;
      }
      this.#token = this.#scanner.scan();
      const isComment = this.#token === LINE_COMMENT || this.#token === BLOCK_COMMENT;
      if (isComment) this.#comment(this.#place());
      else if (this.#token === UNKNOWN && this.#text.charAt(this.#scanner.getTokenOffset()) === '#')
        this.#hashComment();
      else if (this.#token === TEXT) return this.#textErrors();
      else if (this.#token !== BLANKS && this.#token !== LINE_BREAK) return;
    }
  }

  /** Reads a comment that begins as in YAML and shells. */
  #hashComment(): void {
    const start = this.#scanner.getTokenOffset();
    const end = endOfLine(this.#text, start);
    this.#comment({ start, end });
    this.#scanner.setPosition(end);
  }

  #comment(place: Span): void {
    this.#report(
      d.jsonComment({ at: this.#findings.at(place), fixes: [textFix('remove the comment', 'safe', place, '')] }),
    );
  }

  #textErrors(): void {
    const error = this.#scanner.getTokenError() as number;
    const { start, end } = this.#place();
    if (error === TEXT_NOT_CLOSED) {
      this.#report(d.jsonTextNotClosed({ at: this.#findings.at({ start, end: start + 1 }) }));
      this.#isDoubtful = true;
    }
    if (error === BAD_ESCAPE || error === BAD_UNICODE) this.#badEscape(start, end);
    if (error === CONTROL_CHARACTER) this.#controlCharacter(start, end);
  }

  #badEscape(start: number, end: number): void {
    for (const match of this.#text.slice(start, end).matchAll(/\\(?:u[0-9a-fA-F]{0,4}|[^])/g)) {
      if (/^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})$/.test(match[0])) continue;
      const place = { start: start + match.index, end: start + match.index + match[0].length };
      return this.#report(
        d.jsonEscape({
          at: this.#findings.at(place),
          escape: match[0],
          fixes: [textFix('write the backslash twice', 'unsafe', { start: place.start, end: place.start }, '\\')],
        }),
      );
    }
  }

  #controlCharacter(start: number, end: number): void {
    // eslint-disable-next-line no-control-regex
    const at = start + this.#text.slice(start, end).search(/[\0-\x1f]/);
    this.#report(
      d.jsonControlCharacter({
        at: this.#findings.at({ start: at, end: at + 1 }),
        unit: hex(this.#text.charCodeAt(at), 4),
      }),
    );
  }

  #isKeyword(): boolean {
    return this.#token === NULL || this.#token === TRUE || this.#token === FALSE;
  }

  #place(): Span {
    const start = this.#scanner.getTokenOffset();
    // A comment that the text ends in just behind its `/*` is one longer for the scanner.
    return { start, end: Math.min(start + this.#scanner.getTokenLength(), this.#text.length) };
  }

  #here(): ReturnType<Findings['at']> {
    return this.#findings.at(this.#place());
  }

  #shown(): string {
    if (this.#token === END) return 'the end of the file';
    const { start, end } = this.#place();
    return this.#token === TEXT ? shorten(this.#text.slice(start, end)) : `"${shorten(this.#text.slice(start, end))}"`;
  }

  #isOnErrorLine(at: number): boolean {
    const { at: last, lineEnd } = this.#lastError;
    return at >= last ? at <= lineEnd : endOfLine(this.#text, at) >= last;
  }

  #report(diagnostic: Diagnostic): void {
    const { part } = diagnostic.primary;
    const at = typeof part === 'object' && 'text' in part ? part.text.start : 0;
    if (this.#lost || this.#isOnErrorLine(at)) return;
    if (this.#isDoubtful && !LOCAL.has(diagnostic.slug)) {
      // The open text may have swallowed the comma behind it; any other consequence makes the rest unreadable.
      this.#isDoubtful = false;
      this.#lost = diagnostic.slug !== 'json-comma-expected' || this.#token !== TEXT;
      return;
    }
    if (!LOCAL.has(diagnostic.slug)) this.#lastError = { at, lineEnd: endOfLine(this.#text, at) };
    this.found += 1;
    this.#findings.add(diagnostic);
    if (this.found >= MOST_ERRORS) this.#lost = true;
  }
}

function keywordMeant(word: string): string | undefined {
  const lower = word.toLowerCase();
  if (lower === 'true' || lower === 'false' || lower === 'null') return lower;
  return lower === 'none' || lower === 'nil' || lower === 'undefined' ? 'null' : undefined;
}
