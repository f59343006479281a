import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

import type { GrpcHandler, GrpcScript } from './port.ts';

/** A script with its payloads as bytes. */
export interface GrpcAnswer {
  /** Sent when the request has ended, in order. */
  readonly messages: readonly Uint8Array[];
  /** Sent for every message at once. */
  readonly each: ((message: Uint8Array) => Uint8Array) | undefined;
  readonly handler: GrpcHandler | undefined;
  readonly error: { readonly code: number; readonly details: string } | undefined;
  readonly delayMs: number;
}

const ECHO = '{{message}}';

/** Reads a script; fails where it says nothing, or two things that do not go together. */
export function readScript(method: string, script: GrpcScript, codes: Readonly<Record<string, unknown>>): GrpcAnswer {
  const wrong = (reason: string): Error => fail.mockGrpcMethod({ method, reason });
  const said = (['response', 'response_base64', 'stream', 'each', 'handler'] as const).filter((key) =>
    Object.hasOwn(script, key),
  );
  if (said.length > 1) throw wrong(`it has ${said.join(' and ')}`);
  if (said.length === 0 && !script.error) throw wrong('it says nothing');
  if (script.error && said.length > 0 && said[0] !== 'stream') throw wrong(`it has ${said[0]} and error`);
  const { error, delay_ms: delayMs = 0, each } = script;
  return {
    messages: messagesOf(script, wrong),
    each: Object.hasOwn(script, 'each') ? (message) => replyTo(message, each ?? null) : undefined,
    handler: script.handler,
    error: error && { code: codeOf(error.code, codes, wrong), details: error.details ?? '' },
    delayMs,
  };
}

function messagesOf(script: GrpcScript, wrong: (reason: string) => Error): readonly Uint8Array[] {
  if (script.stream) return script.stream.map(payload);
  if (script.response_base64 !== undefined) {
    const bytes = Buffer.from(script.response_base64, 'base64');
    if (bytes.toString('base64').replace(/=+$/, '') !== script.response_base64.replace(/=+$/, ''))
      throw wrong('response_base64 is no base64');
    return [bytes];
  }
  return Object.hasOwn(script, 'response') ? [payload(script.response ?? null)] : [];
}

/** Text as UTF-8, any other value as compact JSON. */
export function payload(value: Json): Uint8Array {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

function replyTo(message: Uint8Array, each: Json): Uint8Array {
  if (each === ECHO) return message;
  if (typeof each !== 'string') return payload(each);
  return payload(each.replaceAll(ECHO, () => new TextDecoder().decode(message)));
}

function codeOf(name: string, codes: Readonly<Record<string, unknown>>, wrong: (reason: string) => Error): number {
  const code = codes[name.toUpperCase()];
  if (typeof code !== 'number' || code === 0) throw wrong(`there is no error code "${name}"`);
  return code;
}
