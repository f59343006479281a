import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll } from 'vitest';

import { session } from '../../call.ts';
import type { Session, SessionOptions } from '../../call.ts';

/** Temporary folder of one file of tests. */
export interface Place {
  readonly root: string;
  /** Writes a file there; yields its path. */
  file(name: string, text: string): string;
  start(
    params?: Record<string, unknown>,
    options?: SessionOptions,
    before?: (unit: Session) => Promise<void>,
  ): Promise<Mock>;
}

/** Makes the folder before the first test, and takes it away after the last. */
export function place(): Place {
  let root = '';
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'svc-mock-'));
  });
  afterAll(() => rmSync(root, { recursive: true }));
  return {
    get root() {
      return root;
    },
    file: (name, text) => {
      writeFileSync(join(root, name), text);
      return join(root, name);
    },
    start: (params, options, before) => start(params, { root, ...options }, before),
  };
}

export interface Mock extends AsyncDisposable {
  readonly unit: Session;
  readonly url: string;
  readonly port: number;
}

async function start(
  params: Record<string, unknown> = {},
  options: SessionOptions = {},
  before?: (unit: Session) => Promise<void>,
): Promise<Mock> {
  const unit = await session(options);
  await before?.(unit);
  const { url, port } = (await unit.call('AT_start_mock_server', params)) as { url: string; port: number };
  return { unit, url, port, [Symbol.asyncDispose]: async () => await unit.end() };
}

export async function template(
  unit: Session,
  rule: string,
  body_template: unknown,
  more: Record<string, unknown> = {},
): Promise<void> {
  await unit.call('AT_mock_add_template_route', { rule, body_template, ...more });
}

export async function post(url: string, body: unknown, init: RequestInit = {}): Promise<Response> {
  return await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    ...init,
  });
}

export async function received(
  unit: Session,
  params: Record<string, unknown> = {},
): Promise<Record<string, unknown>[]> {
  return (await unit.call('AT_mock_received', params)) as Record<string, unknown>[];
}

/** Sends bytes as they are; yields what came back until the other side closed. */
export async function raw(port: number, text: string): Promise<string> {
  return await new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket
      .on('data', (chunk) => (answer += String(chunk)))
      .on('close', () => resolve(answer))
      .on('error', () => {});
  });
}
