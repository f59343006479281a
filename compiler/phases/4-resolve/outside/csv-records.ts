/** A record of a CSV text, and the line on which it begins. */
export interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

/** The records of a whole text. */
export function* records(text: string, delimiter: string): Generator<CsvRecord> {
  const reading = new CsvRecords(delimiter);
  yield* reading.push(text);
  yield* reading.end();
}

/**
 * Reads CSV piece by piece (RFC 4180: quotes may hold delimiters, line breaks and doubled quotes); blank lines are no
 * records.
 */
export class CsvRecords {
  readonly #delimiter: string;
  #cells: string[] = [];
  #cell = '';
  /** `quote`: a quotation mark inside quotes, which ends them unless another one follows. */
  #state: 'plain' | 'quoted' | 'quote' = 'plain';
  /** The last character was a carriage return: a line feed behind it is part of the same break. */
  #isReturned = false;
  #line = 1;
  #begin = 1;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** The records that have ended with the next piece of the text. */
  *push(text: string): Generator<CsvRecord> {
    for (let at = 0; at < text.length;) {
      if (this.#state === 'quoted') {
        at = this.#quoted(text, at);
        continue;
      }
      const character = text[at] ?? '';
      const isSecondQuote = this.#state === 'quote' && character === '"';
      const isFeed = this.#isReturned && character === '\n';
      this.#state = 'plain';
      this.#isReturned = false;
      if (isFeed) at += 1;
      else if (character === '"' && (isSecondQuote || this.#cell === '')) {
        if (isSecondQuote) this.#cell += '"';
        this.#state = 'quoted';
        at += 1;
      } else if (character === '\n' || character === '\r') {
        at += 1;
        this.#isReturned = character === '\r';
        this.#line += 1;
        yield* this.end();
      } else if (character === this.#delimiter) {
        at += 1;
        this.#cells.push(this.#cell);
        this.#cell = '';
      } else {
        const next = this.#endOfPlain(text, at + 1);
        this.#cell += text.slice(at, next);
        at = next;
      }
    }
  }

  /** The last record, where no line break ends it. */
  *end(): Generator<CsvRecord> {
    const [cells, line] = [this.#cells, this.#begin];
    this.#begin = this.#line;
    if (this.#cell === '' && cells.length === 0) return;
    cells.push(this.#cell);
    this.#cells = [];
    this.#cell = '';
    yield { cells, line };
  }

  /** Takes what stands up to the next quotation mark; returns the place behind it. */
  #quoted(text: string, from: number): number {
    const quote = text.indexOf('"', from);
    const end = quote < 0 ? text.length : quote;
    const part = text.slice(from, end);
    this.#cell += part;
    for (let feed = part.indexOf('\n'); feed >= 0; feed = part.indexOf('\n', feed + 1)) this.#line += 1;
    if (quote < 0) return end;
    this.#state = 'quote';
    return end + 1;
  }

  /** The place of the next delimiter or line break. */
  #endOfPlain(text: string, from: number): number {
    const delimiter = this.#delimiter.charCodeAt(0);
    let at = from;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === delimiter || code === LINE_FEED || code === RETURN) break;
    }
    return at;
  }
}

const LINE_FEED = 10;
const RETURN = 13;
