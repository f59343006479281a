import type { Ports } from '#runtime/kernel/ports.ts';
import type { StepObserver } from '#runtime/kernel/step-observer.ts';
import { statusOf } from '#runtime/kernel/passing.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import { isSecretQuery } from '#schemas/types/secret-key.ts';

import { isAction } from '#compiler/engine/is-action.ts';
import { observeSessions } from '#compiler/engine/observed.ts';
import { Session } from './session.ts';

/** Options of tracing: the exporter of spans, and attributes on all of them. */
export interface TracingOptions {
  /** Service name on all spans; `svc` by default. */
  readonly service_name?: string;
  /**
   * `otlp`, the address of a collector, or `file#export` from the working directory that yields an exporter; spans are
   * dropped without one.
   */
  readonly exporter?: string | null;
  /** Attributes on all spans, beside the service name. */
  readonly resource_attributes?: JsonObject | null;
}

/** Ends the span of `action_span`; works with `using`. */
export interface SpanScope extends Disposable {
  /** Ends the span, with the error where there was one. The second call changes nothing. */
  end(error?: unknown): void;
}

interface On {
  /** Ends the spans of actions. */
  readonly leave: () => void;
  readonly session: Session;
  readonly tracing: Ports['tracing'];
}

/** Tracing is a matter of the whole process: one that is on is on for all who open spans. */
const process_wide: { on: Promise<On | undefined> | undefined; tracing: Ports['tracing'] | undefined } = {
  on: undefined,
  tracing: undefined,
};

/**
 * Switches tracing on: from now on each action that runs (`execute_action` and the like) is a span, beside those of
 * `action_span`. False where it was on already: then nothing changes. Rejects with TracingException.
 */
export async function init_tracing(options: TracingOptions = {}): Promise<boolean> {
  if (process_wide.on) return false;
  const starting = begin(options);
  process_wide.on = starting;
  try {
    process_wide.tracing = (await starting).tracing;
    return true;
  } catch (error) {
    process_wide.on = undefined;
    throw error;
  }
}

/** Sends what has ended, for at most so many seconds (5), and switches tracing off. False where it was off. */
export async function shutdown_tracing({ timeout = 5 }: { readonly timeout?: number } = {}): Promise<boolean> {
  const on = await process_wide.on?.catch(() => undefined);
  process_wide.on = undefined;
  process_wide.tracing = undefined;
  if (!on) return false;
  on.leave();
  await on.tracing.shutdown(timeout);
  await on.session.close();
  return true;
}

/** Says whether the packages for tracing are installed. */
export async function is_otel_available(): Promise<boolean> {
  const { loadPackages } = await import('#runtime/adapters/tracing/packages.ts');
  return await loadPackages().then(
    () => true,
    () => false,
  );
}

/** Opens a span around one action; does nothing while tracing is off. */
export function action_span(
  action_name: string,
  { attributes }: { readonly attributes?: JsonObject | null } = {},
): SpanScope {
  let span = process_wide.tracing?.span(action_name, attributes ?? {});
  const end = (error?: unknown): void => {
    span?.end(error);
    span = undefined;
  };
  return { end, [Symbol.dispose]: () => end() };
}

/**
 * Runs `scope`, which sends a request, within a span `VERB url`, and yields what it yields. The span has `http.method`,
 * `http.url` without credentials, the status of the answer and the error. Without tracing the function simply runs.
 */
export async function instrument_request<Result>(
  method: string,
  url: string,
  scope: () => Result | Promise<Result>,
  { attributes }: { readonly attributes?: JsonObject | null } = {},
): Promise<Result> {
  const [verb, shown] = [method.toUpperCase(), withoutCredentials(url)];
  const name = `${verb} ${shown}`;
  const span = process_wide.tracing?.span(name, { ...attributes, 'http.method': verb, 'http.url': shown }, name);
  const tellStatus = (of: unknown): void => {
    const status = statusOf(of);
    if (typeof status === 'number') span?.set({ 'http.status_code': status });
  };
  try {
    const result = await scope();
    tellStatus(isAnswered(result) ? result.response : result);
    span?.end();
    return result;
  } catch (error) {
    tellStatus(error);
    span?.end(withAddress(error, url, shown));
    throw error;
  }
}

/** An error for the span, whose text has the address as it is shown. */
function withAddress(error: unknown, url: string, shown: string): unknown {
  const text = error instanceof Error ? error.message : String(error);
  // As it was given, as it is normalized, and without a login, as requests name themselves.
  const bare = URL.parse(url);
  const forms = [url, bare?.href ?? url];
  if (bare) {
    bare.username = '';
    bare.password = '';
    forms.push(bare.href);
  }
  if (!forms.some((form) => text.includes(form))) return error;
  const told = new Error(forms.reduce((rest, form) => rest.replaceAll(form, shown), text));
  told.name = error instanceof Error ? error.name : 'Error';
  return told;
}

/** Tells results of functions such as `test_api_method_httpx_async`. */
function isAnswered(value: unknown): value is { readonly response: unknown } {
  return typeof value === 'object' && value !== null && 'response' in value;
}

/** An address without login, and with `***` for what in its query lets somebody in. */
function withoutCredentials(text: string): string {
  const url = URL.parse(text);
  if (!url) return text.replace(/\/\/[^/@]*@/, '//').replace(/\?.*/s, '');
  url.username = '';
  url.password = '';
  for (const name of new Set(url.searchParams.keys())) if (isSecretQuery(name)) url.searchParams.set(name, '***');
  return url.href;
}

async function begin({
  service_name: serviceName = 'svc',
  exporter = null,
  resource_attributes: attributes,
}: TracingOptions): Promise<On> {
  const session = await Session.open();
  try {
    const tracing = await session.step('init_tracing', ['tracing'], async (given) => {
      await given.tracing.init({ serviceName, exporter, resourceAttributes: attributes ?? {} });
      return given.tracing;
    });
    // Spans that have not been sent yet go when the program has nothing else to do.
    process.once('beforeExit', () => void shutdown_tracing());
    return { session, tracing, leave: observeSessions(() => ofActions(tracing.observer())) };
  } catch (error) {
    await session.close();
    throw asTracing(error);
  }
}

/** A failure of the exporter's module, too, by the name of the specification. */
function asTracing(error: unknown): unknown {
  return error instanceof Failure ? new Failure({ ...error.facts, name: 'TracingException' }, error.options) : error;
}

/** Functions of this library that are no commands have no spans. */
function ofActions(spans: StepObserver | undefined): StepObserver | undefined {
  return (
    spans && {
      started: (step) => {
        if (isAction(step.command)) spans.started?.(step);
      },
      ended: (step, record, args) => spans.ended(step, record, args),
    }
  );
}
