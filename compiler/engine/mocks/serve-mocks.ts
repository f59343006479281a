import { resolve } from 'node:path';

import { readOpenApiFile } from '#grammar/openapi/read.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import { reasonOf } from '#runtime/program/reason.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import type { ReceivedRequest } from '#stdlib/api/mock/http/port.ts';
import { readSections } from '#stdlib/api/mock/http/read-config.ts';
import { openApiRoutes } from '#stdlib/api/mock/http/openapi-routes.ts';

import { checkMockSections } from './check-sections.ts';
import { openUnit, type OpenUnit } from '../unit-session.ts';

/** Something that came to a mock. */
export type MockEvent =
  | ({ readonly kind: 'http' } & ReceivedRequest)
  | { readonly kind: 'websocket' | 'grpc'; readonly path: string; readonly text: string; readonly at: string };

export interface MocksToServe {
  /** A mock configuration, or an OpenAPI document; undefined: an HTTP mock without routes. */
  readonly file: string | undefined;
  /** Interface of the HTTP mock; it and the port win over the file. */
  readonly host?: string;
  readonly port?: number;
  /** Pages of other origins may use the HTTP mock; else as the file says. */
  readonly cors?: true;
}

export interface ServedMocks extends AsyncDisposable {
  readonly addresses: readonly string[];
  /** Lines that somebody who starts them should know. */
  readonly notes: readonly string[];
}

/** Port of the HTTP mock where nothing names one. */
const PORT = 8090;

interface Around {
  readonly host: Host;
  readonly root: string;
  readonly settings: Partial<Settings>;
}

/** Starts the mocks of a file in a unit of their own. Rejects where one cannot start, with those before it stopped. */
export async function serveMocks(
  what: MocksToServe,
  around: Around,
  heard: (event: MockEvent) => void,
): Promise<ServedMocks> {
  const { host } = around;
  const sections = what.file === undefined ? { http: {} } : await sectionsOf(what.file, host);
  await checkMockSections(what.file ?? '', sections);
  const unit = await openUnit({ ...around, unit: { source: 'mock' } });
  try {
    const addresses: string[] = [];
    const notes: string[] = [];
    if (sections.http) addresses.push(await startHttp(unit, what, sections, { heard, notes }));
    const message = (kind: 'websocket' | 'grpc') => (path: string, text: string) =>
      heard({ kind, path, text, at: new Date(host.clock.now()).toISOString() });
    const { websocket, grpc } = sections;
    if (websocket) {
      await unit.within('mock websocket', ['mockWebSocket'], (ctx) => ctx.mockWebSocket.watch(message('websocket')));
      addresses.push(String(await unit.call('AT_mock_start_websocket_server', websocket)));
    }
    if (grpc) {
      await unit.within('mock grpc', ['mockGrpc'], (ctx) =>
        ctx.mockGrpc.watch((method, bytes) => message('grpc')(method, new TextDecoder().decode(bytes))),
      );
      addresses.push(`grpc://${String(await unit.call('AT_mock_start_grpc_server', grpc))}`);
    }
    return { addresses, notes, [Symbol.asyncDispose]: () => unit.close() };
  } catch (error) {
    await unit.close();
    throw error;
  }
}

/** Most bytes of a mock configuration. */
const LARGEST = 64 * 1024 * 1024;

interface Sections {
  /** Absent: no HTTP mock is asked for. */
  readonly http?: { readonly port?: number } | undefined;
  readonly websocket?: JsonObject | undefined;
  readonly grpc?: JsonObject | undefined;
  readonly document?: JsonObject;
}

async function sectionsOf(file: string, host: Host): Promise<Sections> {
  const path = resolve(host.cwd, file);
  const bytes = await host.files.readRegular(path, { limit: LARGEST }).catch((cause: unknown) => {
    throw fail.mockConfigUnreadable({ path: file, reason: reasonOf(cause), cause });
  });
  const read = await readOpenApiFile(new TextDecoder().decode(bytes), { path, root: host.cwd, files: host.files });
  if ('document' in read) return { http: {}, document: read.document };
  const { http, websocket, grpc } = await readSections(path, host.files);
  return { http: http ?? ((websocket ?? grpc) ? undefined : {}), websocket, grpc };
}

function startHttp(
  unit: OpenUnit,
  { file, host, port, cors }: MocksToServe,
  { http, document }: Sections,
  { heard, notes }: { readonly heard: (event: MockEvent) => void; readonly notes: string[] },
): Promise<string> {
  return unit.within('mock http', ['mockHttp', 'variables'], async (ctx) => {
    ctx.mockHttp.watch((request) => heard({ kind: 'http', ...request }));
    const { url } = await ctx.mockHttp.start({
      ...(host === undefined ? {} : { host }),
      ...(cors ? { cors } : {}),
      port: port ?? http?.port ?? PORT,
      ...(file === undefined || document ? {} : { config: file, others: 'elsewhere' }),
      names: ctx.variables,
    });
    if (document) {
      const { routes, rules } = openApiRoutes(document);
      ctx.mockHttp.add(...routes);
      notes.push(...Object.keys(rules));
    }
    return url;
  });
}
