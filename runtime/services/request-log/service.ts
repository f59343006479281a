import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import { REQUEST_LOG, REQUEST_LOG_BYTES } from '#schemas/generated/settings.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isSecretHeader } from '#schemas/types/secret-key.ts';

import type { AskingStep, Exchange, Exchanges, FailedCall, RequestEntry, RequestLog } from './port.ts';

export const provider: Provider<'requestLog'> = { open: (context) => new Log(context) };

interface KeptExchange {
  readonly exchange: Exchange;
  readonly bytes: number;
}

class Log implements RequestLog {
  readonly #context: PortContext;
  readonly #limit: number;
  readonly #byteLimit: number;
  #kept: RequestEntry[] = [];
  #exchanges: KeptExchange[] = [];
  #bytes = 0;
  #dropped = 0;
  /** Requests before the first row. */
  #start: { readonly kept: readonly RequestEntry[]; readonly exchanges: readonly KeptExchange[] } = {
    kept: [],
    exchanges: [],
  };
  readonly #rows: { kept: RequestEntry[]; exchanges: KeptExchange[]; bytes: number; dropped: number } = {
    kept: [],
    exchanges: [],
    bytes: 0,
    dropped: 0,
  };

  constructor(context: PortContext) {
    this.#context = context;
    this.#limit = context.settings.limits?.request_log ?? REQUEST_LOG;
    this.#byteLimit = context.settings.limits?.request_log_bytes ?? REQUEST_LOG_BYTES;
    context.eachRow(() => this.#snapshot());
  }

  add(entry: RequestEntry, exchange?: Exchange): void {
    this.#kept.push(entry);
    // The oldest go first, in blocks, so that a full log does not move all its entries for each request.
    if (this.#kept.length > this.#limit * 1.1) this.#kept = this.#kept.slice(-this.#limit);
    if (exchange) this.#keep(exchange, entry.length ?? 0);
  }

  refuse(failure: FailedCall): void {
    this.#keep({ kind: 'failed', ...failure }, 0);
  }

  entries(step: AskingStep = {}): readonly RequestEntry[] {
    const all = step.inTeardown
      ? [...this.#start.kept, ...this.#rows.kept, ...without(this.#kept, this.#start.kept)]
      : this.#kept;
    return all.slice(-this.#limit);
  }

  exchanges(step: AskingStep = {}): Exchanges {
    const start = this.#start.exchanges;
    const all = step.inTeardown
      ? [...start, ...this.#rows.exchanges, ...without(this.#exchanges, start)]
      : this.#exchanges;
    const passed: JsonObject[] = [];
    const failed: FailedCall[] = [];
    for (const { exchange } of all) {
      if (exchange.kind === 'passed') passed.push(this.#shown(exchange.record));
      else failed.push(this.#failed(exchange));
    }
    return { passed, failed, dropped: this.#dropped + (step.inTeardown ? this.#rows.dropped : 0) };
  }

  warn(text: string): void {
    this.#context.notice('warning', text);
  }

  clear(): void {
    this.#kept = [];
    this.#exchanges = [];
    this.#bytes = 0;
    this.#dropped = 0;
  }

  /** Brings back what is here now: a row of a dataset begins with what was requested before the first one. */
  #snapshot(): () => void {
    const [kept, exchanges, bytes, dropped] = [[...this.#kept], [...this.#exchanges], this.#bytes, this.#dropped];
    this.#start = { kept, exchanges };
    return () => {
      this.#endRow(kept, exchanges);
      this.#kept = [...kept];
      this.#exchanges = [...exchanges];
      this.#bytes = bytes;
      this.#dropped = dropped;
    };
  }

  /** Keeps what a row requested for teardown, within the same bounds as the log itself. */
  #endRow(keptBefore: readonly RequestEntry[], before: readonly KeptExchange[]): void {
    const rows = this.#rows;
    rows.kept = [...rows.kept, ...without(this.#kept, keptBefore)].slice(-this.#limit);
    for (const one of without(this.#exchanges, before)) {
      rows.exchanges.push(one);
      rows.bytes += one.bytes;
    }
    let gone = 0;
    while (gone < rows.exchanges.length && rows.bytes > this.#byteLimit)
      rows.bytes -= rows.exchanges[gone++]?.bytes ?? 0;
    rows.exchanges.splice(0, gone);
    rows.dropped += gone;
  }

  /** An answer is kept by reference: it is turned into a record only when somebody asks. */
  #keep(exchange: Exchange, bytes: number): void {
    this.#exchanges.push({ exchange, bytes: bytes + ENTRY });
    this.#bytes += bytes + ENTRY;
    if (this.#bytes <= this.#byteLimit) return;
    // More goes than has to, so that a full log does not move all its exchanges for each request.
    let gone = 0;
    while (gone < this.#exchanges.length - 1 && this.#bytes > this.#byteLimit * 0.9)
      this.#bytes -= this.#exchanges[gone++]?.bytes ?? 0;
    this.#exchanges.splice(0, gone);
    this.#dropped += gone;
  }

  #failed(exchange: FailedCall & { readonly kind: 'failed' }): FailedCall {
    const { record, ...call } = withoutKind(exchange);
    const masked = this.#context.masked(call) as unknown as FailedCall;
    return record ? { ...masked, record: this.#shown(record) } : masked;
  }

  #shown(record: object): JsonObject {
    const { content } = record as { readonly content?: Json };
    const fields: Record<string, Json> = {
      ...(record as JsonObject),
      ...(content === undefined ? {} : { content: this.#shownContent(content) }),
    };
    for (const name of ['headers', 'request_headers']) {
      const headers = fields[name];
      if (typeof headers === 'object' && headers !== null) fields[name] = shownHeaders(headers as JsonObject);
    }
    return this.#context.masked<JsonObject>(fields);
  }

  /** Masked as text: a piece that is cut out of the base64 moves all bits behind it. */
  #shownContent(content: Json): Json {
    if (typeof content !== 'string') return content;
    const text = Buffer.from(content, 'base64').toString();
    const shown = this.#context.masked(text);
    return shown === text ? content : Buffer.from(shown).toString('base64');
  }
}

/** Bytes of an exchange beside its body. */
const ENTRY = 2048;

function withoutKind({ kind: _kind, ...call }: FailedCall & { readonly kind: 'failed' }): FailedCall {
  return call;
}

function shownHeaders(headers: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecretHeader(name) ? '***' : value]),
  );
}

/** Those of a list that were not in it before; the oldest of that may be gone. */
function without<Item>(list: readonly Item[], before: readonly Item[]): readonly Item[] {
  const known = new Set(before);
  return list.filter((item) => !known.has(item));
}
