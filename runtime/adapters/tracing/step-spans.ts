import type { Context, Span, SpanContext, Tracer } from '@opentelemetry/api';

import type { StepObserver, StepView } from '#runtime/kernel/step-observer.ts';
import type { Clock } from '#schemas/types/host.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import type { Packages } from './packages.ts';

/** Number of ended steps that are remembered as parents of what goes on after them, such as the list of a watch. */
const REMEMBERED = 10_000;

/** A span for each step, below that of the step that holds it. */
export class StepSpans implements StepObserver {
  readonly #api: Packages['api'];
  readonly #tracer: Tracer;
  readonly #clock: Clock;
  readonly #root: Context;
  readonly #open = new Map<StepView, { readonly span: Span; readonly at: number }>();
  /** Contexts of spans by row and id. */
  readonly #contexts = new Map<string, SpanContext>();
  /** Ids of spans that have some below them. */
  readonly #parents = new Set<string>();

  constructor(api: Packages['api'], tracer: Tracer, clock: Clock, root: Context) {
    this.#api = api;
    this.#tracer = tracer;
    this.#clock = clock;
    this.#root = root;
  }

  started(step: StepView): void {
    const at = this.#clock.now();
    const { trace } = this.#api;
    const parent = step.parent === undefined ? undefined : this.#contexts.get(keyOf(step, step.parent));
    if (parent) this.#parents.add(parent.spanId);
    const span = this.#tracer.startSpan(
      'svc.action',
      { startTime: at, attributes: attributesOf(step) },
      parent ? trace.setSpanContext(this.#root, parent) : this.#root,
    );
    this.#open.set(step, { span, at });
    this.#remember(keyOf(step, step.id), span.spanContext());
  }

  ended(step: StepView, record: RunRecord): void {
    const open = this.#open.get(step);
    if (!open) return;
    this.#open.delete(step);
    // A step that was not executed is no action: a span that does not end is not exported.
    if (record.status !== 'passed' && record.status !== 'failed') return;
    const { span, at } = open;
    span.setAttributes({
      'svc.run.id': record.run,
      'svc.step.status': record.status,
      'svc.step.attempts': record.attempts,
    });
    const end = at + record.duration_ms;
    const { error } = record;
    if (error) {
      span.setAttribute('error.type', error.code ?? error.name);
      span.recordException(
        { name: error.name, message: error.message, ...(error.code !== undefined && { code: error.code }) },
        hrTime(end),
      );
      span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message: error.message });
    } else span.setStatus({ code: this.#api.SpanStatusCode.OK });
    span.end(hrTime(end));
  }

  /** Ends what is under way and has spans below it, so that these are not left without a parent. */
  endAll(): void {
    for (const { span } of this.#open.values())
      if (this.#parents.has(span.spanContext().spanId)) span.end(this.#clock.now());
    this.#open.clear();
  }

  #remember(key: string, context: SpanContext): void {
    this.#contexts.delete(key);
    this.#contexts.set(key, context);
    if (this.#contexts.size <= REMEMBERED) return;
    const [oldest] = this.#contexts.keys();
    if (oldest !== undefined) this.#contexts.delete(oldest);
  }
}

function keyOf({ row }: StepView, id: string): string {
  return `${row ?? ''} ${id}`;
}

function attributesOf({ command, id, name, row, part, place }: StepView): Record<string, string | number> {
  return {
    'fa.action': command,
    'svc.step.id': id,
    ...(name !== undefined && { 'svc.step.name': name }),
    ...(row !== undefined && { 'svc.step.row': row }),
    ...(part !== 'body' && { 'svc.step.part': part }),
    ...(place && { 'code.file.path': place.file, 'code.line.number': place.line }),
  };
}

/** Milliseconds with fractions as seconds and nanoseconds: durations are finer than the clock. */
function hrTime(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
