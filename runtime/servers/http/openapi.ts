import type { JsonObject } from '#schemas/types/json.ts';

import type { AccessList } from '../access-list.ts';
import type { ServedCommand } from '../action-calls.ts';
import { openapiSchema } from './openapi-schema.ts';

/**
 * The description of the HTTP action server, OpenAPI 3.0.3, with a schema for each command that the access list lets
 * through.
 */
export function openapiOf(commands: readonly ServedCommand[], access: Pick<AccessList, 'allows'>): JsonObject {
  const served = commands.filter(({ name }) => access.allows(name));
  return {
    openapi: '3.0.3',
    info: { title: 'svc action server', version: '1.0.0' },
    paths: {
      '/actions': {
        post: {
          summary: 'Run a list of actions.',
          security: [{ bearer: [] }, {}],
          requestBody: { required: true, content: json({ $ref: '#/components/schemas/ActionRequest' }) },
          responses: {
            '200': {
              ...answer('The list has run, also where actions in it failed.', {
                type: 'object',
                additionalProperties: true,
              }),
              headers: {
                'X-Svc-Failed-Actions': { description: 'Number of actions that failed.', schema: { type: 'integer' } },
              },
            },
            ...refusals({
              '400': 'No body, one that is no JSON in UTF-8, or a request that others may read otherwise.',
              '401': 'The secret is missing or wrong.',
              '403': 'The access list refuses a command, or another site asks; nothing has run.',
              '411': 'No length.',
              '413': 'The body is too large.',
              '415': 'The body is not application/json, in UTF-8 and uncompressed.',
              '422': 'No list of actions, or one with mistakes; nothing has run.',
              '500': 'The server failed.',
              '501': 'Another transfer coding than chunks.',
              '503': 'Too many calls wait.',
            }),
          },
        },
        options: { summary: 'Tell that the server is there.', responses: { '204': { description: 'It is.' } } },
      },
      '/healthz': look('Tell that the process is alive.', { '200': statusAnswer('ok') }),
      '/readyz': look('Tell whether there are commands.', {
        '200': statusAnswer('ready'),
        '503': statusAnswer('not_ready'),
      }),
      '/openapi.json': look('This description.', { '200': answer('OpenAPI 3.0.3.', { type: 'object' }) }),
      '/progress': look('WebSocket: the named transfers, again and again.', {
        '101': { description: 'Frames `{"progress": […]}` follow.' },
        ...refusals({ '401': 'The secret is missing or wrong.', '426': 'No upgrade was asked for.' }),
      }),
    },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { ...common, ...Object.fromEntries(served.map((command) => [command.name, schemaOf(command)])) },
    },
  };
}

/** Schema of what stands beside the name of the command in an action. */
function schemaOf({ summary, parameters }: ServedCommand): JsonObject {
  return { description: summary, ...openapiSchema(parameters) };
}

const common: JsonObject = {
  ActionRequest: {
    oneOf: [
      { type: 'array', minItems: 1, items: {} },
      { type: 'object', additionalProperties: true, description: 'An action file, also with `dry_run`.' },
    ],
  },
  Error: { type: 'object', required: ['error'], properties: { error: { type: 'string' }, help: { type: 'string' } } },
};

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

function answer(description: string, schema: JsonObject): JsonObject {
  return { description, content: json(schema) };
}

function statusAnswer(status: string): JsonObject {
  return answer(status, {
    type: 'object',
    properties: { status: { type: 'string', enum: [status] }, reason: { type: 'string' } },
  });
}

function refusals(reasons: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(reasons).map(([status, text]) => [status, answer(text, { $ref: '#/components/schemas/Error' })]),
  );
}

function look(summary: string, responses: JsonObject): JsonObject {
  return { get: { summary, responses } };
}
