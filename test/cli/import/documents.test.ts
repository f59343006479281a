import { describe, expect, test } from 'vitest';

import { importOpenApi } from '#grammar/import/openapi.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { importing } from './importing.ts';

const at = importing();

describe('svc import of documents', () => {
  test('takes OpenAPI documents of both generations', async () => {
    const json = (schema: object): object => ({ 'application/json': { schema } });
    at.put('new.yaml', {
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      servers: [{ url: at.url }],
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
      paths: {
        '/echo': {
          post: {
            operationId: 'say',
            tags: ['a'],
            parameters: [
              { name: 'page', in: 'query', required: true, schema: { type: 'integer', minimum: 4 } },
              { name: 'X-Trace', in: 'header', required: true, schema: { const: '{{braces}}' } },
            ],
            requestBody: {
              content: json({ type: 'object', properties: { password: { type: 'string' }, n: { type: 'integer' } } }),
            },
            responses: { 200: { description: 'ok' } },
          },
          get: { security: [], responses: { 200: { description: 'ok' } } },
        },
      },
    });
    const text = await at.imported('new.yaml', 'new-actions.yaml', { KEY: 'k-e-y-1', PASSWORD: 'p-a-s-s' });
    expect(text).toContain(`base_url: { type: string, default: "${at.url}" }`.replaceAll('"', ''));
    expect(text).toContain('result.status_code == 200');
    expect(await at.call(['run', 'new-actions.yaml'], { KEY: 'k-e-y-1', PASSWORD: 'p-a-s-s' })).toMatchObject({
      exit: 0,
    });
    at.put('old.json', {
      swagger: '2.0',
      host: 'old.example',
      basePath: '/v1',
      paths: {
        '/goods/{id}': {
          get: { parameters: [{ name: 'id', in: 'path', type: 'integer' }], responses: { 200: { description: '' } } },
        },
      },
    });
    expect(await at.imported('old.json', 'old.yaml')).toContain('test_url: "{{base_url}}/goods/1"');
    const said = await at.call(['import', 'old.json', 'old-too.json', '--json', '--base-url', at.url]);
    expect(JSON.parse(said.stdout)).toMatchObject({ from: 'OpenAPI 2.0', actions: 1 });
  });

  test('writes parameters in the style of the document, ends what leads back into itself, and names files', () => {
    const item = { $ref: '#/components/schemas/Item' };
    const query = (name: string, schema: object, more: object = {}): object => ({
      ...{ name, in: 'query', required: true, schema },
      ...more,
    });
    const ids = { type: 'array', items: { type: 'integer' }, example: [1, 2] };
    const fields = { type: 'object', example: { a: 1, b: 'x' } };
    const upload = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } };
    const { steps, lost } = importOpenApi({
      openapi: '3.1.0',
      info: {},
      components: {
        schemas: {
          Item: {
            type: 'object',
            required: ['code'],
            properties: {
              code: { type: 'string', pattern: '^[A-Z]{3}$' },
              parent: { anyOf: [item, { type: 'null' }] },
              children: { type: 'array', items: item },
            },
          },
        },
      },
      paths: {
        '/items': {
          get: {
            parameters: [
              query('many', ids),
              query('list', ids, { explode: false }),
              query('piped', ids, { style: 'pipeDelimited', explode: false }),
              query('deep', fields, { style: 'deepObject' }),
              query('spread', fields),
              query('said', {}, { schema: undefined, content: { 'application/json': { schema: fields } } }),
            ],
            responses: {},
          },
          put: { requestBody: { content: { 'application/json': { schema: item } } }, responses: {} },
          post: { requestBody: { content: { 'multipart/form-data': { schema: upload } } }, responses: {} },
          trace: { responses: {} },
        },
      },
    } as unknown as JsonObject);
    const [get, put, post] = steps.map(({ action }) => action[1]);
    expect(decodeURIComponent(String(get?.['test_url']))).toBe(
      '{{base_url}}/items?many=1&many=2&list=1,2&piped=1|2&deep[a]=1&deep[b]=x&a=1&b=x&said={"a":1,"b":"x"}',
    );
    expect(put?.['json']).toEqual({ code: expect.stringMatching(/^[A-Z]{3}$/) });
    expect(post?.['data']).toContain('name="file"; filename="file"');
    expect(lost).toEqual(['TRACE /items: the verb has no counterpart']);
  });

  test('follows references of an OpenAPI document to files beside it, and tells those that lead nowhere', async () => {
    at.put('split/pets.json', { get: { responses: { 200: { description: 'x' } } } });
    const paths = { '/pets': { $ref: './pets.json' }, '/owners': { $ref: 'owners.json' } };
    at.put('split/openapi.json', { openapi: '3.1.0', servers: [{ url: at.url }], paths });
    const said = await at.call(['import', 'split/openapi.json']);
    expect(said.stdout).toContain('test_url: "{{base_url}}/pets"');
    expect(said.stderr).toContain('/owners: its operations stand in owners.json, which was not read');
  });

  test('sends what looks like a reference as it was', async () => {
    const text = 'run ${{ github.token }}, ${x} and {{y}}';
    const postData = { mimeType: 'text/plain', text };
    const request = { method: 'POST', url: `${at.url}/echo`, headers: [], queryString: [], postData };
    at.put('marks.har', { log: { entries: [{ request, response: { status: 200 } }] } });
    const made = await at.imported('marks.har', 'marks.yaml');
    expect(made).toContain("data: 'run $${{ github.token }}, $${x} and \\{{y}}'");
  });

  test('takes no secret of a HAR file from a body with numbers that change', async () => {
    const header = (name: string, value: string): object => ({ name, value });
    const request = {
      method: 'POST',
      url: `${at.url}/echo`,
      headers: [
        header('cookie', 'theme=dark'),
        header('cookie', 'sid=s3cr3tc00kie'),
        header('accept', 'text/html'),
        header('accept', 'application/json'),
        header('content-type', 'application/json'),
      ],
      postData: { mimeType: 'application/json', text: '{"password": "hunter22hunter", "n": 12345678901234567890}' },
    };
    at.put('twice.har', { log: { entries: [{ request, response: { status: 200 } }] } });
    const text = await at.imported('twice.har', 'twice.yaml', { PASSWORD: 'hunter22', COOKIE_SECRET: 'a=b' });
    expect(text).toContain('accept: application/json');
    expect(text).toContain('cookie: "${ENV.COOKIE_SECRET}"');
    expect(text).toContain('"password": "${ENV.PASSWORD}", "n": 12345678901234567890');
    expect(text).not.toMatch(/hunter22hunter|s3cr3tc00kie/);
    at.put('none.har', { log: { entries: [] } });
    expect(await at.call(['import', 'none.har'])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('no request'),
    });
  });
});
