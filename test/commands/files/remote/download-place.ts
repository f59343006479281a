import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach } from 'vitest';

import { startHttp, startRaw, type Started } from '../../api/servers.ts';
import { failureOf } from '../../call.ts';
import { session, type Session } from '../../session.ts';

export const content: Buffer = Buffer.from(
  Array.from({ length: 200_000 }, (_one, index) => (index * 7 + (index >> 8)) % 251),
);
export const sha256: string = createHash('sha256').update(content).digest('hex');

export interface Cutting {
  etag?: string | undefined;
  modified?: string;
  date?: string;
  cutAt?: number | undefined;
  ranges?: boolean;
  answer?: Buffer;
  readonly asked: { readonly range: string | undefined; readonly ifRange: string | undefined }[];
}

/**
 * Surroundings of tests of downloads: a folder, a unit that may ask this machine, and servers, all anew for
 * each test.
 */
export interface DownloadPlace {
  readonly root: string;
  readonly unit: Session;
  /** Ended with the test. */
  readonly opened: AsyncDisposable[];
  readonly target: () => string;
  /** Names in the folder, sorted. */
  readonly there: () => Promise<string[]>;
  readonly read: (name?: string) => Promise<Buffer>;
  readonly get: (url: string, params?: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly serve: (listener: (request: IncomingMessage, response: ServerResponse) => void) => Promise<Started>;
  /** Gives one answer a request as it stands, the last one again and again; an empty one cuts the connection. */
  readonly raw: (...answers: readonly string[]) => Promise<{ readonly url: string; readonly asked: string[] }>;
  /** Serves `content` with ranges as RFC 9110 asks, and cuts the connection where told. */
  readonly cutting: (options: Omit<Cutting, 'asked'>) => Promise<Cutting & { readonly url: string }>;
}

export async function codeOf(work: Promise<unknown>): Promise<string> {
  return (await failureOf(work)).facts.code;
}

/** For the tests of the file that calls it. */
export function downloads(): DownloadPlace {
  let root = '';
  let unit: Session | undefined;
  const opened: AsyncDisposable[] = [];
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'svc-download-'));
    unit = await session({ settings: { gates: { private: true } } });
  });
  afterEach(async () => {
    await unit?.end();
    for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
    await rm(root, { recursive: true, force: true });
  });
  const kept = async <Server extends AsyncDisposable>(starting: Promise<Server>): Promise<Server> => {
    const server = await starting;
    opened.push(server);
    return server;
  };
  const serve = (listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<Started> =>
    kept(startHttp(listener));
  const target = (): string => join(root, 'file.bin');
  const current = (): Session => unit ?? notOpen();
  return {
    get root() {
      return root;
    },
    get unit() {
      return current();
    },
    opened,
    target,
    there: () => readdir(root).then((names) => names.sort()),
    read: (name = 'file.bin') => readFile(join(root, name)),
    get: (url, params = {}) => current().call('FA_download_file', { url, target: target(), ...params }),
    serve,
    raw: (...answers) => raw(answers, kept),
    cutting: (options) => cutting(options, serve),
  };
}

function notOpen(): never {
  throw new Error('the place is open during a test');
}

async function raw(
  answers: readonly string[],
  kept: (server: Promise<Started>) => Promise<Started>,
): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = await kept(
    startRaw((socket) => {
      socket.once('data', (head) => {
        asked.push(head.toString());
        const answer = answers[Math.min(asked.length, answers.length) - 1] ?? '';
        if (answer === '') socket.destroy();
        else socket.end(answer);
      });
    }),
  );
  return { url: `${server.url}/file`, asked };
}

async function cutting(
  options: Omit<Cutting, 'asked'>,
  serve: DownloadPlace['serve'],
): Promise<Cutting & { readonly url: string }> {
  const state: Cutting = { ranges: true, ...options, asked: [] };
  const { url } = await serve((request, response) => {
    const { range, 'if-range': ifRange } = request.headers;
    state.asked.push({ range, ifRange: ifRange as string | undefined });
    const all = state.answer ?? content;
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    const validator = state.etag ?? state.modified;
    const isPart = state.ranges === true && range !== undefined && (ifRange === undefined || ifRange === validator);
    const headers = {
      ...(state.etag === undefined ? {} : { etag: state.etag }),
      ...(state.modified === undefined ? {} : { 'last-modified': state.modified }),
      ...(state.date === undefined ? {} : { date: state.date }),
    };
    if (isPart && from >= all.length)
      return void response.writeHead(416, { ...headers, 'content-range': `bytes */${all.length}` }).end();
    const body = isPart ? all.subarray(from) : all;
    response.writeHead(isPart ? 206 : 200, {
      ...headers,
      'content-length': body.length,
      ...(isPart ? { 'content-range': `bytes ${from}-${all.length - 1}/${all.length}` } : {}),
    });
    if (state.cutAt === undefined) response.end(body);
    else response.write(body.subarray(0, state.cutAt), () => setTimeout(() => response.destroy(), 20));
  });
  return Object.assign(state, { url: `${url}/file` });
}
