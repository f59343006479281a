import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildSchema, introspectionFromSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { failureOf, session } from '../call.ts';
import { startHttp } from './servers.ts';

const definitions = `
  type Job { id: ID!, state: State!, notes(first: Int = 10): [String!]! }
  enum State { OPEN DONE }
  input NewJob { title: String!, state: State }
  type Query { job(id: ID!): Job }
  type Mutation { add(job: NewJob!): Job! }
`;

let folder = '';
const at = (name: string): string => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-graphql-'));
  const answer = { data: introspectionFromSchema(buildSchema(definitions)) };
  writeFileSync(at('schema.graphql'), definitions);
  writeFileSync(at('schema.json'), JSON.stringify(answer));
  writeFileSync(at('no-data.json'), JSON.stringify(answer.data));
  writeFileSync(at('broken.graphql'), 'type Query { job: Nothing }');
  writeFileSync(at('empty.json'), '{}');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a query with a schema', () => {
  test('is sent where the schema allows it, however the schema is written', async () => {
    let seen = 0;
    await using server = await startHttp((_, response) => {
      seen += 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"add":{"id":"1"}}}');
    });
    await using unit = await session();
    for (const schema of ['schema.graphql', 'schema.json', 'no-data.json'].map(at))
      await unit.call('AT_test_api_method_graphql', {
        url: server.url,
        query:
          'query Find($id: ID!) { job(id: $id) { ...facts } } mutation Add($job: NewJob!) { add(job: $job) { id } } fragment facts on Job { state notes(first: 2) }',
        operation_name: 'Add',
        variables: { job: { title: 'tea', state: 'OPEN' } },
        schema,
      });
    expect(seen).toBe(3);
  });

  test.each([
    ['{ job(id: 1) { nme } }', {}, null, 'line 1:16 Cannot query field "nme" on type "Job".'],
    ['{ job(id: 1) { state }', {}, null, 'line 1:23 Syntax Error: Expected Name, found <EOF>.'],
    ['{ job { state } }', {}, null, 'line 1:3 Argument "Query.job(id:)" of type "ID!" is required'],
    ['{ job(id: 1) }', {}, null, 'must have a selection of subfields'],
    [
      'query A { job(id: 1) { id } } query B { job(id: 1) { id } }',
      {},
      null,
      'It holds 2 operations, and none is named.',
    ],
    ['query A { job(id: 1) { id } }', {}, 'C', 'It holds no operation "C".'],
    ['query($id: ID!) { job(id: $id) { id } }', {}, null, 'line 1:7 Variable "$id" has invalid value'],
    [
      'query($id: ID!) { job(id: $id) { id } }',
      { id: '1', more: 1 },
      null,
      'The operation declares no variable "$more".',
    ],
    ['mutation($job: NewJob!) { add(job: $job) { id } }', { job: { title: 'x', state: 'GONE' } }, null, 'State'],
  ])('%s with %j: is refused before it is sent', async (query, variables, name, message) => {
    await using unit = await session();
    // Nobody listens there: a request that was sent would fail by another name.
    const sent = { url: 'http://127.0.0.1:1/', query, variables, operation_name: name, schema: at('schema.graphql') };
    const error = await failureOf(unit.call('AT_test_api_method_graphql', sent));
    expect(error.facts).toMatchObject({ code: 'SVC83045', name: 'APIAssertException' });
    expect(error.message).toContain(message);
  });

  test('tells every mistake, and what is no schema', async () => {
    await using unit = await session();
    const sent = { url: 'http://127.0.0.1:1/', query: '{ a b c }' };
    const error = await failureOf(unit.call('AT_test_api_method_graphql', { ...sent, schema: at('schema.json') }));
    expect(error.options.actual).toMatchObject([
      { line: 1, column: 3 },
      { line: 1, column: 5 },
      { line: 1, column: 7 },
    ]);
    expect(error.facts.help).toMatch(/^Then: line 1:5 .* line 1:7 /);
    for (const name of ['broken.graphql', 'empty.json', 'none.graphql']) {
      const wrong = await failureOf(unit.call('AT_test_api_method_graphql', { ...sent, schema: at(name) }));
      expect(wrong.facts.code).toBe('SVC83044');
    }
  });
});
