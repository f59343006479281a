import type { CallToolResult, ListToolsResult, Server } from '@modelcontextprotocol/server';

import { checkSchema } from '#runtime/kernel/values/check-schema.ts';
import { unfit } from '#runtime/kernel/values/unfit.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import type { Calls } from '../calls.ts';
import { answered, failed, type ToolAnswer } from './answer.ts';
import type { AssistantCalls } from './assistant-calls.ts';
import { listed, named, toolsOf, type ServedTool } from './tool.ts';

export interface McpOptions {
  /** Name that the server gives itself. */
  readonly name: string;
  readonly version: string;
  /** Calls that change something run without `confirm`. */
  readonly allowWrites: boolean;
  /** Hears of every call when it has ended, never of what was sent. */
  readonly heard?: (tool: string, outcome: 'ok' | 'error', ms: number) => void;
  readonly monotonic: () => number;
  /** Turns of the calls: so many run at once, for so long, and none behind the end. */
  readonly turns: Calls;
}

/** Makes a server for a connection, or for a request. */
export type MakeServer = () => Server;

/** Loads the SDK and the tools once. */
export async function mcpServers(calls: AssistantCalls, options: McpOptions): Promise<MakeServer> {
  const { ProtocolError, ProtocolErrorCode, Server: SdkServer } = await import('@modelcontextprotocol/server');
  const tools = toolsOf(await calls.commands());
  const list = [...tools.values()].map(listed) as unknown as ListToolsResult['tools'];
  return () => {
    const { name, version } = options;
    const server = new SdkServer({ name, version }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: list }));
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }): Promise<CallToolResult> => {
      const began = options.monotonic();
      const tool = tools.get(params.name);
      if (!tool) {
        options.heard?.('unknown', 'error', 0);
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, calls.masked(`there is no tool "${params.name}"`));
      }
      const given = named((params.arguments ?? {}) as JsonObject, tool);
      const answer = await call(tool, given, { calls, options, signal: mcpReq.signal });
      options.heard?.(params.name, answer.isError ? 'error' : 'ok', options.monotonic() - began);
      return answer;
    });
    return server;
  };
}

interface Around {
  readonly calls: AssistantCalls;
  readonly options: McpOptions;
  readonly signal: AbortSignal;
}

/** Arguments are held to the schema before anything runs; what goes wrong is an answer, and the server stays up. */
async function call(tool: ServedTool, given: JsonObject, { calls, options, signal }: Around): Promise<ToolAnswer> {
  const masked = (text: string): string => calls.masked(text);
  const misfits = checkSchema(tool.inputSchema, given, (pattern, text) => new RegExp(pattern, 'u').test(text));
  if (misfits.length > 0) return failed(`the arguments do not fit: ${unfit(misfits)}`, masked);
  try {
    const mayChange = options.allowWrites || given['confirm'] === true;
    const value = await options.turns.run((over) =>
      tool.call(given, calls, { mayChange, signal: AbortSignal.any([signal, over]) }),
    );
    return answered(value, masked);
  } catch (error) {
    return failed(error, masked);
  }
}
