import { Failure } from '#schemas/types/failure.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { CommandFailed } from './tool.ts';

/** Longest text that an answer holds: what is longer no model reads, and no host should keep. */
export const MOST_TEXT = 256 * 1024;

/** The answer to a call, as the protocol has it. */
export interface ToolAnswer {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError: boolean;
  readonly [extra: string]: unknown;
}

/** A value: plain text as it is, anything else as JSON; an object also as one, within the same bound. */
export function answered(value: Json, masked: (text: string) => string): ToolAnswer {
  const text = masked(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  if (text.length > MOST_TEXT) {
    const note = `\n… ${text.length - MOST_TEXT} more characters are left out.`;
    return {
      content: [{ type: 'text', text: text.slice(0, MOST_TEXT) + note }],
      structuredContent: { truncated: true, characters: text.length },
      isError: false,
    };
  }
  const structured = typeof value === 'string' ? { result: text } : wrapped(JSON.parse(text) as Json);
  return { content: [{ type: 'text', text }], structuredContent: structured, isError: false };
}

export function failed(error: unknown, masked: (text: string) => string): ToolAnswer {
  const lines = [`error: ${reasonOf(error)}`];
  if (error instanceof Failure && error.facts.help !== undefined) lines.push(`help: ${error.facts.help}`);
  const texts = [lines.join('\n'), ...valueOf(error)];
  return { content: texts.map((text) => ({ type: 'text', text: masked(text).slice(0, MOST_TEXT) })), isError: true };
}

/** The value of a command that failed, as JSON, where it says more than that it failed. */
function valueOf(error: unknown): readonly string[] {
  const value = error instanceof CommandFailed ? error.value : null;
  return typeof value === 'object' && value !== null ? [JSON.stringify(value, null, 2)] : [];
}

/** A failure in words, with what it says of its cause where that is one of ours. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Failure ? `${error.message} ${reasonOf(error.cause)}` : error.message;
}

function wrapped(value: Json): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : { result: value };
}
