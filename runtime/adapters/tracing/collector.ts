import { percentDecoded } from '#grammar/source/percent-decoded.ts';
import * as fail from '#schemas/generated/failures.ts';

/** Address that spans are sent to over HTTP. */
export interface Collector {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Get = (key: string) => string | undefined;

const PATH = '/v1/traces';

/**
 * Collector by an address, by the word `otlp`, or, where none is given, by the environment. Undefined where
 * none of them names one.
 */
export function collectorOf(exporter: string | null, env: Get): Collector | undefined {
  if (exporter !== null && /^https?:/i.test(exporter)) return { url: withPath(exporter), headers: headersOf(env) };
  const named = env('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const base = env('OTEL_EXPORTER_OTLP_ENDPOINT');
  const url = named ?? (base === undefined ? undefined : `${base.replace(/\/+$/, '')}${PATH}`);
  if (exporter === 'otlp') return { url: checked(url ?? `http://localhost:4318${PATH}`), headers: headersOf(env) };
  return exporter === null && url !== undefined ? { url: checked(url), headers: headersOf(env) } : undefined;
}

/** An address without a path means the usual one. */
function withPath(address: string): string {
  const url = new URL(checked(address));
  if (url.pathname === '/') url.pathname = PATH;
  return url.href;
}

function checked(address: string): string {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw fail.tracingUnusable({ reason: `"${address}" is no http or https address of a collector` });
  return address;
}

/** `name=value,name=value`, values percent-encoded. */
function headersOf(env: Get): Readonly<Record<string, string>> {
  const text = env('OTEL_EXPORTER_OTLP_TRACES_HEADERS') ?? env('OTEL_EXPORTER_OTLP_HEADERS') ?? '';
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair.indexOf('=') > 0);
  return Object.fromEntries(
    pairs.map((pair) => [
      pair.slice(0, pair.indexOf('=')).trim(),
      percentDecoded(pair.slice(pair.indexOf('=') + 1).trim()),
    ]),
  );
}
