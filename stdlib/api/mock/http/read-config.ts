import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { checkShape } from './check-shape.ts';
import { configShape } from './config-shape.ts';
import type { HttpConfig } from './config-shape.ts';

/** Reads a mock configuration, JSON or YAML, and checks the whole of it. */
export async function readConfig(path: string, files: Files): Promise<HttpConfig> {
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
    const { start } = document.spanAt(first.at);
    throw fail.mockConfig({
      path,
      line: text.slice(0, start).split('\n').length,
      at: pointer(first.at),
      expected: first.expected,
      count: findings.length,
    });
  }
  const config = isObject(document.value) ? document.value : {};
  const http = isObject(config['http']) ? config['http'] : {};
  const planned =
    ['websocket', 'grpc'].find((section) => config[section] !== undefined) ??
    (http['openapi'] === undefined ? undefined : 'http.openapi');
  if (planned !== undefined) throw fail.mockConfigPlanned({ path, section: planned });
  return http as HttpConfig;
}

function pointer(route: Route): string {
  return `/${route.map((piece) => String(piece).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
}
