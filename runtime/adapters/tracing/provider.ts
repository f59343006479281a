import type { AttributeValue } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace';

import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import type { StepObserver } from '#runtime/kernel/step-observer.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { collectorOf, type Collector } from './collector.ts';
import { CountingExporter } from './counting-exporter.ts';
import { loadOtlp, loadPackages, type Packages } from './packages.ts';
import type { ActionSpan, Tracing, TracingOptions } from './port.ts';
import { StepSpans } from './step-spans.ts';
import { idsOf, outerContext } from './trace-ids.ts';

/** Time limit (s) for the end of a unit that waits for spans to be sent, and for one request to a collector. */
const LIMIT_SECONDS = 5;

export const provider: Provider<'tracing'> = {
  open: (context) => {
    const tracing = new OpenTracing(context);
    context.release(() => tracing.shutdown(LIMIT_SECONDS).then(() => undefined));
    context.eachRow(() => tracing.save());
    return tracing;
  },
};

interface On {
  observer(): StepObserver | undefined;
  span(action: string, attributes: JsonObject, name: string): ActionSpan;
  end(timeoutSeconds: number): Promise<void>;
}

class OpenTracing implements Tracing {
  readonly #context: PortContext;
  #on: On | undefined;
  #options: TracingOptions | undefined;
  #starting: Promise<On> | undefined;

  constructor(context: PortContext) {
    this.#context = context;
  }

  async init(options: TracingOptions): Promise<boolean> {
    if (this.#on || this.#starting) return false;
    this.#starting = this.#start(options);
    try {
      this.#on = await this.#starting;
      this.#options = options;
      return true;
    } finally {
      this.#starting = undefined;
    }
  }

  async shutdown(timeoutSeconds: number): Promise<boolean> {
    const on = this.#on;
    this.#on = undefined;
    await on?.end(timeoutSeconds);
    return on !== undefined;
  }

  /** Remembers whether it is on; what it yields switches it off or on again. */
  save(): () => Promise<void> {
    const options = this.#on && this.#options;
    return async () => {
      if (this.#on && this.#options === options) return;
      await this.shutdown(LIMIT_SECONDS);
      if (options) await this.init(options);
    };
  }

  span(action: string, attributes: JsonObject = {}, name = 'svc.action'): ActionSpan | undefined {
    return this.#on?.span(action, attributes, name);
  }

  observer(): StepObserver | undefined {
    return this.#on?.observer();
  }

  async #start(options: TracingOptions): Promise<On> {
    for (const [name, value] of Object.entries(options.resourceAttributes))
      if (!isAttribute(value))
        throw fail.tracingUnusable({
          reason: `the resource attribute "${name}" is neither a text, a number, true or false nor a list of one of these`,
        });
    const environment = await this.#context.port('environment');
    const collector = collectorOf(options.exporter, (key) => environment.get(key) || undefined);
    if (options.exporter === null && !collector) return dropping;
    const exporter = collector
      ? await this.#collectorExporter(collector)
      : await this.#ownExporter(options.exporter ?? '');
    return open(this.#context, await loadPackages(), new CountingExporter(exporter), {
      ...options,
      parent: environment.get('TRACEPARENT'),
    });
  }

  async #collectorExporter({ url, headers }: Collector): Promise<SpanExporter> {
    const { OTLPTraceExporter } = await loadOtlp();
    for (const value of Object.values(headers)) this.#context.mask(value);
    const outbound = await this.#context.port('outbound');
    if (outbound.isStrict) await outbound.checkUrl(url, { signal: new AbortController().signal });
    const way = outbound.isStrict ? { httpAgentOptions: { lookup: outbound.lookup } } : {};
    return new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: LIMIT_SECONDS * 1000, ...way });
  }

  async #ownExporter(reference: string): Promise<SpanExporter> {
    const make = await (await this.#context.port('modules')).reference(reference);
    const made: unknown = await make();
    if (!isExporter(made))
      throw fail.tracingUnusable({ reason: `what "${reference}" yields has no functions "export" and "shutdown"` });
    return made;
  }
}

/** Tracing that is on, with nobody to send to. */
const dropping: On = {
  observer: () => undefined,
  span: () => ({ set: () => undefined, end: () => undefined }),
  end: async () => undefined,
};

function open(
  context: PortContext,
  { api, sdk, resources }: Packages,
  exporter: CountingExporter,
  options: TracingOptions & { readonly parent: string | undefined },
): On {
  const { host } = context;
  const attributes = {
    ...(options.resourceAttributes as Record<string, AttributeValue>),
    'service.name': options.serviceName,
  };
  const tracers = new sdk.TracerProvider({
    resource: resources.defaultResource().merge(resources.resourceFromAttributes(attributes)),
    idGenerator: idsOf(host.random),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter,
        maxQueueSize: 20_000,
        scheduledDelayMillis: 1000,
        exportTimeoutMillis: LIMIT_SECONDS * 1000,
      }),
    ],
  });
  const tracer = tracers.getTracer('svc');
  const root = outerContext(api, options.parent);
  const spans = new StepSpans(api, tracer, host.clock, root);
  const leave = context.observe(spans);
  return {
    observer: () => new StepSpans(api, tracer, host.clock, root),
    span: (action, given, name) => {
      const span = tracer.startSpan(
        name,
        { startTime: host.clock.now(), attributes: { ...plain(given), 'fa.action': action } },
        root,
      );
      return {
        set: (more) => void span.setAttributes(plain(more)),
        end: (error) => {
          if (error !== undefined) {
            const message = error instanceof Error ? error.message : String(error);
            span.recordException(error instanceof Error ? error : message);
            span.setStatus({ code: api.SpanStatusCode.ERROR, message });
          } else span.setStatus({ code: api.SpanStatusCode.OK });
          span.end(host.clock.now());
        },
      };
    },
    end: async (timeoutSeconds) => {
      leave();
      spans.endAll();
      const inTime = await within(host, timeoutSeconds * 1000, tracers.shutdown());
      if (exporter.lost > 0)
        context.notice('warning', fail.spansLost({ count: exporter.lost, reason: exporter.reason }).message);
      else if (!inTime) context.notice('warning', fail.spansLate({ seconds: timeoutSeconds }).message);
    },
  };
}

/** Whether the work was done in time; what it rejects with is told by the exporter. */
function within({ clock }: PortContext['host'], ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const endTimer = clock.timer(ms, () => resolve(false));
    const done = (): void => {
      endTimer();
      resolve(true);
    };
    work.then(done, done);
  });
}

function plain(attributes: JsonObject): Record<string, AttributeValue> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      isAttribute(value) ? (value as AttributeValue) : JSON.stringify(value),
    ]),
  );
}

function isAttribute(value: Json | undefined): boolean {
  if (Array.isArray(value))
    return value.every((part) => part !== null && typeof part !== 'object' && typeof part === typeof value[0]);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isExporter(made: unknown): made is SpanExporter {
  return (
    typeof made === 'object' &&
    made !== null &&
    'export' in made &&
    typeof made.export === 'function' &&
    'shutdown' in made &&
    typeof made.shutdown === 'function'
  );
}
