import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

type Done = Parameters<SpanExporter['export']>[1];

/** Remembers what an exporter could not send. */
export class CountingExporter implements SpanExporter {
  readonly #inner: SpanExporter;
  lost = 0;
  reason = '';

  constructor(inner: SpanExporter) {
    this.#inner = inner;
  }

  export(spans: ReadableSpan[], done: Done): void {
    const told: Done = (result) => {
      // 0: success; the enumeration stands in a package of its own.
      if (Number(result.code) !== 0) this.#count(spans.length, result.error);
      done(result);
    };
    try {
      this.#inner.export(spans, told);
    } catch (error) {
      this.#count(spans.length, error);
      done({ code: 1, ...(error instanceof Error && { error }) });
    }
  }

  #count(spans: number, error: unknown): void {
    this.lost += spans;
    this.reason = error instanceof Error ? error.message || error.name : 'the exporter does not say why';
  }

  async shutdown(): Promise<void> {
    await this.#inner.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.#inner.forceFlush?.();
  }
}
