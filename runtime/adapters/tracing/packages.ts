import * as fail from '#schemas/generated/failures.ts';

/** The optional packages, and the versions that this was tested with: those of our peer dependencies. */
const versions = {
  '@opentelemetry/api': '1.10.0',
  '@opentelemetry/exporter-trace-otlp-http': '0.301.0',
  '@opentelemetry/resources': '3.1.1',
  '@opentelemetry/sdk-trace': '3.1.1',
} as const;

export interface Packages {
  readonly api: typeof import('@opentelemetry/api');
  readonly resources: typeof import('@opentelemetry/resources');
  readonly sdk: typeof import('@opentelemetry/sdk-trace');
}

export type PackageName = keyof typeof versions;

/** Each by a literal import, so that a program names them as its externals. */
export const imports = {
  '@opentelemetry/api': () => import('@opentelemetry/api'),
  '@opentelemetry/exporter-trace-otlp-http': () => import('@opentelemetry/exporter-trace-otlp-http'),
  '@opentelemetry/resources': () => import('@opentelemetry/resources'),
  '@opentelemetry/sdk-trace': () => import('@opentelemetry/sdk-trace'),
} as const;

/** Fails with the name of the first one that is not installed. */
export async function loadPackages(from: typeof imports = imports): Promise<Packages> {
  return {
    api: await present('@opentelemetry/api', from['@opentelemetry/api']),
    resources: await present('@opentelemetry/resources', from['@opentelemetry/resources']),
    sdk: await present('@opentelemetry/sdk-trace', from['@opentelemetry/sdk-trace']),
  };
}

/** Only where spans go to a collector over HTTP. */
export function loadOtlp(
  from: typeof imports = imports,
): Promise<typeof import('@opentelemetry/exporter-trace-otlp-http')> {
  return present('@opentelemetry/exporter-trace-otlp-http', from['@opentelemetry/exporter-trace-otlp-http']);
}

async function present<T>(name: PackageName, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND') {
      const install = Object.entries(versions)
        .map(([each, version]) => `${each}@${version}`)
        .join(' ');
      throw fail.tracingPackageMissing({
        command: 'FA_tracing_init',
        package: name,
        version: versions[name],
        install,
        cause,
      });
    }
    throw cause;
  }
}
