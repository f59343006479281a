import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { servedCommands } from '#compiler/engine/callers/action-calls.ts';
import { AccessList } from '#runtime/servers/access-list.ts';
import { listed, toolsOf, type ListedTool } from '#runtime/servers/mcp/tool.ts';
import { powerfulOf } from '#runtime/servers/tools.ts';
import { isObject } from '#schemas/types/json.ts';

/** The tools that anybody sees who is not allowed more by name. */
async function tools(): Promise<readonly ListedTool[]> {
  const commands = await servedCommands();
  const access = new AccessList({ allowed: null, denied: [] }, powerfulOf(commands));
  return [...toolsOf(commands.filter(({ name }) => access.allows(name))).values()].map(listed);
}

/** Hints in four letters: reads or changes, destroys, may be repeated, reaches out of this machine. */
function hints({ annotations: { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } }: ListedTool): string {
  return [
    readOnlyHint ? 'r' : 'c',
    destructiveHint ? 'd' : '-',
    idempotentHint ? 'i' : '-',
    openWorldHint ? 'o' : '-',
  ].join('');
}

/** The part of a schema that decides what fits: its words are not among it. */
function meaning(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(meaning);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => key !== 'description' || typeof value !== 'string');
  return Object.fromEntries(
    kept.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([key, value]) => [key, meaning(value)]),
  );
}

function digest(tool: ListedTool): string {
  return createHash('sha256')
    .update(JSON.stringify(meaning(tool.inputSchema)))
    .digest('hex')
    .slice(0, 6);
}

describe('all tools', () => {
  it('are those of the golden: a name, its hints, the parameters that it takes', async () => {
    const lines = (await tools()).map((tool) => `${hints(tool)} ${digest(tool)} ${tool.name}`);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('expected/mcp-tool-list.txt');
  });

  it('hold the eight of document 2, by name', async () => {
    const names = (await tools()).map(({ name }) => name);
    expect(names.slice(0, 8)).toEqual([
      'svc_run_action',
      'svc_test_api',
      'svc_curl_to_action',
      'svc_har_import',
      'svc_render_markdown',
      'svc_records_to_openapi',
      'svc_clear_records',
      'svc_get_records',
    ]);
  });

  it('ask to be confirmed wherever they are not said to read alone, but for the clearing of records and one request', async () => {
    const unasked = (await tools()).filter(
      ({ annotations, inputSchema }) =>
        !annotations.readOnlyHint && !Object.hasOwn(inputSchema['properties'] as object, 'confirm'),
    );
    expect(unasked.map(({ name }) => name)).toEqual(['svc_test_api', 'svc_clear_records']);
  });

  it('are as many as commands that start nothing, and each name is one that hosts take', async () => {
    const all = await tools();
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const { name, description } of all) {
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(description.length).toBeGreaterThan(5);
    }
  });
});
