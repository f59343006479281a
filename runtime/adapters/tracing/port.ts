import type { StepObserver } from '#runtime/kernel/step-observer.ts';
import type { JsonObject } from '#schemas/types/json.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly tracing: Tracing;
  }
}

/**
 * Spans of the steps of a unit, in one trace, each below the step that holds it. Off until `init`; what is open at the
 * end of the unit is flushed then. No fault of an exporter makes a step fail or a run wait longer than a few seconds.
 */
export interface Tracing {
  /** False where it was on already: then nothing changes. */
  init(options: TracingOptions): Promise<boolean>;
  /** Sends what is there, at most for so long, and switches off. False where it was off. */
  shutdown(timeoutSeconds: number): Promise<boolean>;
  /** Makes spans of the steps of another unit; undefined while tracing is off. */
  observer(): StepObserver | undefined;
  /** A span around something that is no step, named `svc.action` unless given; undefined while tracing is off. */
  span(action: string, attributes?: JsonObject, name?: string): ActionSpan | undefined;
}

export interface TracingOptions {
  readonly serviceName: string;
  /**
   * `otlp` (the collector that `OTEL_EXPORTER_OTLP_…` of the environment name), the address of a collector that takes
   * OTLP over HTTP, or `<file>#<export>` that yields an exporter; null: where the environment names a collector it,
   * else spans are dropped.
   */
  readonly exporter: string | null;
  /** Texts, numbers, true or false, and lists of one of these. */
  readonly resourceAttributes: JsonObject;
}

export interface ActionSpan {
  /** Adds attributes that are known only now. */
  set(attributes: JsonObject): void;
  /** Once; with what went wrong where something did. */
  end(error?: unknown): void;
}
