import { request } from 'node:http';

import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json } from '#schemas/types/json.ts';

/** Largest answer that is read (bytes). */
const LARGEST = 16 * 1024 * 1024;
/** Beginning of the engine's words in failures. */
const LONGEST = 200;

export interface EngineAnswer {
  readonly status: number;
  readonly bytes: Uint8Array;
}

export interface EngineCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: Json;
  readonly timeout_ms: number;
  readonly signal?: AbortSignal;
}

/** A container engine that speaks the Docker-compatible protocol over a socket of this machine. */
export class Engine {
  readonly #socket: string;

  constructor(socket: string) {
    this.#socket = socket;
  }

  /** Fails where nobody answers. */
  async send({ method, path, body, timeout_ms, signal }: EngineCall): Promise<EngineAnswer> {
    const until = AbortSignal.any([AbortSignal.timeout(timeout_ms), ...(signal ? [signal] : [])]);
    try {
      return await new Promise<EngineAnswer>((resolve, reject) => {
        const text = body === undefined ? undefined : JSON.stringify(body);
        const headers =
          text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
        const sent = request(
          { socketPath: this.#socket, method, path, headers, signal: until, host: 'localhost' },
          (answer) => {
            const parts: Buffer[] = [];
            let size = 0;
            answer.on('data', (part: Buffer) => {
              size += part.length;
              if (size > LARGEST) answer.destroy(new Error(`its answer is larger than ${LARGEST} bytes`));
              else parts.push(part);
            });
            answer
              .once('error', reject)
              .once('end', () => resolve({ status: answer.statusCode ?? 0, bytes: Buffer.concat(parts) }));
          },
        );
        sent.once('error', reject).end(text);
      });
    } catch (cause) {
      signal?.throwIfAborted();
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw fail.containerEngineMissing({ reason: `"${this.#socket}": ${reason}`, cause });
    }
  }

  /** The JSON of a good answer; other statuses are failures with the words of the engine. */
  async ask(call: EngineCall & { readonly what: string }): Promise<Json> {
    const answer = await this.send(call);
    if (answer.status >= 200 && answer.status < 400) return jsonOf(answer);
    throw fail.containerEngineRefused({ what: call.what, status: answer.status, answer: wordsOf(answer) });
  }
}

/** Words of the engine about an answer that is none. */
export function wordsOf(answer: EngineAnswer): string {
  const json = jsonOf(answer);
  const message = isObject(json) ? (json['message'] ?? json['cause']) : undefined;
  const text = typeof message === 'string' ? message : new TextDecoder().decode(answer.bytes);
  return text.trim().slice(0, LONGEST) || 'nothing';
}

function jsonOf({ bytes }: EngineAnswer): Json {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Json;
  } catch {
    return null;
  }
}

/** The socket that DOCKER_HOST names, else the first of the usual ones. */
export async function engineSocket({ env, files }: Pick<Host, 'env' | 'files'>): Promise<string> {
  const named = env['DOCKER_HOST'];
  if (named !== undefined && named !== '') {
    if (!named.startsWith('unix://'))
      throw fail.containerEngineMissing({ reason: 'DOCKER_HOST names no local socket (unix://…)' });
    return named.slice('unix://'.length);
  }
  const { XDG_RUNTIME_DIR: own } = env;
  const usual = [
    ...(own === undefined ? [] : [`${own}/podman/podman.sock`, `${own}/docker.sock`]),
    '/run/podman/podman.sock',
    '/var/run/docker.sock',
  ];
  for (const path of usual) if (await files.find(path).catch(() => undefined)) return path;
  throw fail.containerEngineMissing({
    reason: `DOCKER_HOST is not set, and there is no socket at ${usual.join(', ')}`,
  });
}
