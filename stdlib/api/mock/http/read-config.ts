import { dirname, resolve } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';
import { isObject } from '#schemas/types/json.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { checkShape } from './check-shape.ts';
import { configShape } from './config-shape.ts';
import type { HttpConfig } from './config-shape.ts';
import type { MockRoute } from './port.ts';

/** The sections of a mock configuration; the HTTP one has its shape. */
export interface MockSections {
  readonly http: HttpConfig | undefined;
  readonly websocket: JsonObject | undefined;
  readonly grpc: JsonObject | undefined;
}

/**
 * The HTTP section of a mock configuration. Sections that nobody serves are refused: tests would run against half of
 * what it says.
 */
export async function readConfig(
  path: string,
  { files }: Pick<Host, 'files'>,
  others?: 'elsewhere',
): Promise<HttpConfig> {
  const { http, websocket, grpc } = await readSections(path, files);
  const section = websocket ? 'websocket' : grpc ? 'grpc' : undefined;
  if (section !== undefined && others === undefined) throw fail.mockConfigPlanned({ path, section });
  return http ?? {};
}

/** Routes of the document that a configuration names; its path is looked up beside the configuration. */
export async function documentRoutes(
  config: string | undefined,
  { openapi }: HttpConfig,
  { files, cwd }: Pick<Host, 'files' | 'cwd'>,
): Promise<readonly MockRoute[]> {
  if (config === undefined || openapi === undefined) return [];
  const path = resolve(cwd, dirname(config), openapi);
  // Loaded here, so that a mock without a document costs none of it.
  const [{ openApiRoutes }, { readSpec }] = await Promise.all([
    import('./openapi-routes.ts'),
    import('../../interfaces/read-spec.ts'),
  ]);
  return openApiRoutes(await readSpec(path, { files, folders: { cwd, root: cwd } })).routes;
}

/** Reads a mock configuration, JSON or YAML, and checks the whole of it. */
export async function readSections(path: string, files: Host['files']): Promise<MockSections> {
  const bytes = await files.read(path).catch((cause: unknown) => {
    throw fail.mockConfigUnreadable({
      path,
      reason: cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause),
      cause,
    });
  });
  // Loaded here, so that a mock without a file costs no YAML reader.
  const { readDocument } = await import('#grammar/document/read.ts');
  const { document, diagnostics, text } = await readDocument(bytes, { source: path });
  const broken = diagnostics.find(({ severity }) => severity === 'error');
  if (broken || !document) throw fail.mockConfigUnreadable({ path, reason: broken?.message ?? '' });
  const findings = checkShape(document.value, configShape);
  const [first] = findings;
  if (first) {
    const lineOf = (at: Route): number => text.slice(0, document.spanAt(at).start).split('\n').length;
    throw fail.mockConfig({
      path,
      line: lineOf(first.at),
      at: pointer(first.at),
      expected: first.expected,
      count: findings.length,
      ...(findings.length > 1
        ? { actual: findings.map(({ at, expected }) => `line ${lineOf(at)}: ${pointer(at)}: ${expected}`) }
        : {}),
    });
  }
  const config = isObject(document.value) ? document.value : {};
  const section = (name: string): JsonObject | undefined => {
    const value = config[name] ?? null;
    return isObject(value) ? value : undefined;
  };
  return { http: section('http') as HttpConfig | undefined, websocket: section('websocket'), grpc: section('grpc') };
}

function pointer(route: Route): string {
  return `/${route.map((piece) => String(piece).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
}
