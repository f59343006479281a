import { addAll } from '#grammar/source/add-all.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { ToolAnnotations } from './annotations.ts';
import type { AssistantCalls, AssistantOptions } from './assistant-calls.ts';

/**
 * A tool of the server's own: more than one command, or what no command does. Its arguments fit its schema when it is
 * called.
 */
export interface OwnTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: ToolAnnotations;
  /** Listed only where the access list lets this command through. */
  readonly command?: string;
  call(given: JsonObject, calls: AssistantCalls, options: AssistantOptions): Promise<Json>;
}

const reads: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const changes: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/** Runs what changes something outside of the server, of which the first call tells what it would do. */
export const confirm: JsonObject = {
  type: 'boolean',
  default: false,
  description: 'Without it a call that would change something is a dry run, whose answer tells what would run.',
};

const text: JsonObject = { type: 'string', minLength: 1 };
const file = {
  path: { ...text, description: 'Action file, from the project root.' },
  content: { type: 'string', description: 'Text that is looked at in place of what is on the disk.' },
};

function object(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}

/** Tools in the order in which they are listed. */
export const ownTools: readonly OwnTool[] = [
  {
    name: 'svc_run_action',
    description: 'Run a list of actions. What one call leaves behind, variables and records, is there for the next.',
    inputSchema: object(
      {
        actions: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'array',
            prefixItems: [text, { type: ['object', 'array'] }],
            minItems: 1,
            maxItems: 2,
          },
        },
        confirm,
      },
      ['actions'],
    ),
    annotations: changes,
    call: async ({ actions = null }, calls, options) => ({ ...(await calls.run(actions, options)) }),
  },
  {
    name: 'svc_test_api',
    description: 'Send one HTTP request and keep it in the records.',
    inputSchema: object(
      {
        method: { type: 'string', default: 'GET' },
        url: text,
        headers: { type: 'object', additionalProperties: { type: 'string' } },
        body: {},
        timeout: { type: 'number', exclusiveMinimum: 0, default: 30 },
      },
      ['url'],
    ),
    annotations: { ...changes, openWorldHint: true },
    command: 'AT_test_api_method',
    call: async (given, calls, options) => ({
      ...(await calls.run([['AT_test_api_method', requestOf(given)]], options)),
    }),
  },
  {
    name: 'svc_curl_to_action',
    description: 'Turn a cURL command line into an action. Nothing is sent.',
    inputSchema: object({ curl_command: text }, ['curl_command']),
    annotations: reads,
    command: 'AT_curl_to_action',
    call: (given, calls) => calls.read('AT_curl_to_action', given),
  },
  {
    name: 'svc_har_import',
    description: 'Turn a HAR file of the project into actions. Nothing is sent.',
    inputSchema: object({ file_path: text }, ['file_path']),
    annotations: reads,
    command: 'AT_convert_har',
    call: async ({ file_path: path }, calls) => calls.read('AT_convert_har', { file_path: calls.inside(String(path)) }),
  },
  {
    name: 'svc_render_markdown',
    description: 'Render the current records as Markdown.',
    inputSchema: object({}),
    annotations: reads,
    command: 'AT_render_markdown',
    call: (_given, calls) => calls.read('AT_render_markdown', {}),
  },
  {
    name: 'svc_records_to_openapi',
    description: 'Build an OpenAPI document from the current records, then those of saved reports of the project.',
    inputSchema: object({
      title: { ...text, default: 'svc Inferred' },
      version: { ...text, default: '0.1.0' },
      report_paths: { type: 'array', items: text },
    }),
    annotations: reads,
    command: 'AT_records_to_openapi',
    call: openapiOf,
  },
  {
    name: 'svc_clear_records',
    description: 'Empty the records.',
    inputSchema: object({}),
    annotations: { ...reads, readOnlyHint: false, destructiveHint: true },
    call: async (_given, calls) => {
      await calls.clearRecords();
      return { cleared: true };
    },
  },
  {
    name: 'svc_get_records',
    description: 'Hand out the current records: what passed and what failed.',
    inputSchema: object({}),
    annotations: reads,
    call: async (_given, calls) => ({ ...(await calls.records()) }),
  },
  {
    name: 'svc_check',
    description:
      'Report errors, the first 100, in an action file of the project or in a text that may become one. Nothing runs.',
    inputSchema: object(file, ['path']),
    annotations: reads,
    call: (given, calls, { signal }) => calls.check(fileOf(given), signal),
  },
  {
    name: 'svc_lint',
    description:
      'Report errors and what lint rules find in an action file, the first 100, with the edits that mend them. Nothing is written.',
    inputSchema: object(file, ['path']),
    annotations: reads,
    call: (given, calls, { signal }) => calls.lint(fileOf(given), signal),
  },
  {
    name: 'svc_explain',
    description: 'Explain a code such as SVC20001, or a command by its name: parameters, effects, notes, examples.',
    inputSchema: object({ name: text }, ['name']),
    annotations: reads,
    call: async ({ name }, calls) => {
      const found = await calls.explain(String(name));
      if (found === null) throw new Error(`nothing is called "${String(name)}"`);
      return found;
    },
  },
  {
    name: 'svc_run',
    description: 'Run an action file of the project.',
    inputSchema: object({ path: file.path, confirm }, ['path']),
    annotations: changes,
    call: async ({ path }, calls, options) => ({ ...(await calls.runFile(String(path), options)) }),
  },
];

function fileOf({ path, content }: JsonObject): { readonly path: string; readonly content?: string } {
  return { path: String(path), ...(typeof content === 'string' && { content }) };
}

/** An object or list as body is JSON, other bodies are text. */
function requestOf({ method = 'GET', url = '', headers, body, timeout = 30 }: JsonObject): JsonObject {
  return {
    http_method: String(method).toLowerCase(),
    test_url: url,
    timeout,
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && body !== null && (typeof body === 'object' ? { json: body } : { data: String(body) })),
  };
}

async function openapiOf({ report_paths: paths, ...given }: JsonObject, calls: AssistantCalls): Promise<Json> {
  const records = [...(await calls.records()).successes];
  for (const path of Array.isArray(paths) ? paths : []) addAll(records, recordsIn(await calls.report(String(path))));
  return calls.read('AT_records_to_openapi', { ...given, records });
}

/** A report is what `svc_get_records` gives, or a plain list of records. */
function recordsIn(report: Json): readonly JsonObject[] {
  const list = Array.isArray(report) ? report : ((report as JsonObject | null)?.['successes'] ?? null);
  if (!Array.isArray(list)) throw new Error('a report is a list of records, or an object with a list "successes"');
  return list as readonly JsonObject[];
}
