import type { JsonObject } from '#schemas/types/json.ts';

import type { StreamEvent } from './event-stream.ts';
import type { RuleCondition } from './dynamic-answer.ts';
import type { AnswerFault } from './port.ts';

/**
 * The keywords that a shape uses; `mock-config.schema.json` says the same with words for editors (a test compares
 * them).
 */
export interface Shape {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  /** False: no others; absent: any. */
  readonly additionalProperties?: false | Shape;
  readonly items?: Shape;
  readonly minItems?: number;
  readonly uniqueItems?: true;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

const texts: Shape = { type: 'object', additionalProperties: { type: 'string' } };
const status: Shape = { type: 'integer', minimum: 200, maximum: 599 };
const path: Shape = { type: 'string', pattern: '^/' };

const delay: Shape = { type: 'number', minimum: 0, maximum: 3600 };
const fault: Shape = { enum: ['reset', 'cut', 'slow', 'wrong_length'] };

const when: Shape = {
  type: 'object',
  properties: {
    in: { enum: ['form', 'headers', 'json', 'path', 'query'] },
    field_path: { type: 'string' },
    expected: {},
  },
  required: ['field_path', 'expected'],
  additionalProperties: false,
};
const rule: Shape = {
  type: 'object',
  properties: {
    when,
    times: { type: 'integer', minimum: 1 },
    body: {},
    status,
    headers: texts,
    delay_seconds: delay,
    fault,
    name: { type: 'string' },
  },
  additionalProperties: false,
};

const word: Shape = { type: 'string', pattern: '^[^\\r\\n\\x00]*$' };
const event: Shape = {
  type: 'object',
  properties: { data: {}, event: word, id: word, delay_seconds: delay },
  required: ['data'],
  additionalProperties: false,
};

const route: Shape = {
  type: 'object',
  properties: {
    rule: path,
    body: {},
    status,
    methods: {
      type: 'array',
      items: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] },
      minItems: 1,
      uniqueItems: true,
    },
    headers: texts,
    delay_seconds: delay,
    fault,
    rules: { type: 'array', items: rule, minItems: 1 },
    events: { type: 'array', items: event, minItems: 1 },
    events_per_connection: { type: 'integer', minimum: 1 },
    retry_ms: { type: 'integer', minimum: 0, maximum: 3600000 },
    interval_seconds: delay,
  },
  required: ['rule'],
  additionalProperties: false,
};

const faults: Shape = {
  type: 'object',
  properties: {
    latency_seconds: { type: 'number', minimum: 0, maximum: 3600 },
    failure_probability: { type: 'number', minimum: 0, maximum: 1 },
    failure_status: status,
    failure_body: { type: 'string' },
  },
  additionalProperties: false,
};

/** Shape of the HTTP section; the other sections belong to mocks of their own. */
const httpShape: Shape = {
  type: 'object',
  properties: {
    host: { type: 'string', minLength: 1 },
    port: { type: 'integer', minimum: 0, maximum: 65535 },
    faults,
    webhooks: { type: 'array', items: path },
    routes: { type: 'array', items: route },
    openapi: { type: 'string', minLength: 1 },
    cors: { type: 'boolean' },
  },
  additionalProperties: false,
};

export const configShape: Shape = {
  type: 'object',
  properties: { $schema: { type: 'string' }, http: httpShape, websocket: { type: 'object' }, grpc: { type: 'object' } },
  additionalProperties: false,
};

/** The HTTP section once it has the shape above. */
export interface HttpConfig {
  readonly host?: string;
  readonly port?: number;
  readonly faults?: JsonObject;
  readonly webhooks?: readonly string[];
  readonly routes?: readonly RouteConfig[];
  /** An OpenAPI document, beside the configuration. */
  readonly openapi?: string;
  /** Pages of other origins may send requests and read the answers. */
  readonly cors?: boolean;
}

export interface RouteConfig {
  readonly rule: string;
  readonly body?: JsonObject[string];
  readonly status?: number;
  readonly methods?: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS')[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly delay_seconds?: number;
  readonly fault?: AnswerFault;
  readonly rules?: readonly RuleConfig[];
  readonly events?: readonly StreamEvent[];
  readonly events_per_connection?: number;
  readonly retry_ms?: number;
  readonly interval_seconds?: number;
}

export interface RuleConfig {
  readonly when?: RuleCondition;
  /** Answers that the rule gives; then the next one is asked. */
  readonly times?: number;
  readonly body?: JsonObject[string];
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delay_seconds?: number;
  readonly fault?: AnswerFault;
}
