import { expect, test } from 'vitest';

import { unitWith } from '#compiler/engine/unit-with.ts';

import { compares, node, runCase, variable, type Case } from './harness.ts';

/** No line of records or events holds one of these. */
async function shows(test: Case, ...secrets: string[]): Promise<string> {
  const { records, events, outcome } = await runCase(test);
  const all = JSON.stringify([records, events, outcome]);
  for (const secret of secrets) expect(all).not.toContain(secret);
  return all;
}

test('the line and the name of a step that holds what is secret', async () => {
  const place = { file: 'a.yaml', line: 1, column: 1, text: 'echo: { a: hunter22! }' };
  const { events } = await runCase({
    host: { env: { API_TOKEN: 'hunter22!' } },
    commands: { echo: () => 1 },
    body: [node('x', 'echo', { a: { ref: { ns: 'env', name: 'API_TOKEN' } } }, { name: 'with hunter22!' })],
    program: { places: { 'a.yaml#x': place } },
  });
  const [finished] = events.filter(({ kind }) => kind === 'step-finished');
  expect(finished).toMatchObject({ step: { name: 'with ***', place: { ...place, text: 'echo: { a: *** }' } } });
});

test('environment keys by their name, raw, in errors and in what is built from them', async () => {
  const host = { env: { API_TOKEN: 'hunter22!', PLAIN: 'visible' } };
  const ref = { ns: 'env', name: 'API_TOKEN' } as const;
  const all = await shows(
    {
      host,
      commands: {
        ATTACH: ({ value }, ctx) => {
          ctx.attach({ kind: 'text', name: 'log', text: `token ${String(value)}` });
          throw new Error(`bad ${String(value)}`, { cause: new Error(String(value)) });
        },
      },
      body: [
        node('0', 'GET', { value: { text: ['Bearer ', ref] } }),
        node('1', 'GET', { value: { text: [{ ns: 'env', name: 'PLAIN' }] } }),
        node('2', 'ATTACH', { value: { ref } }),
      ],
    },
    'hunter22!',
  );
  expect(all).toContain('Bearer ***');
  expect(all).toContain('visible');
});

test('meta.secrets, the configuration, and what is public', async () => {
  const host = { env: { CUSTOMER: 'customer-77', REGION: 'region-9', PUBLIC_KEY: 'public-5' } };
  const program = { settings: { gates: {}, secrets: { env: ['REGION'] }, public_env: ['PUBLIC_KEY'] } };
  const text = (name: string) => ({ value: { ref: { ns: 'env', name } as const } });
  const all = await shows(
    {
      host,
      program,
      unit: { secrets: ['CUSTOMER'] },
      body: [
        node('0', 'GET', text('CUSTOMER')),
        node('1', 'GET', text('REGION')),
        node('2', 'GET', text('PUBLIC_KEY')),
      ],
    },
    'customer-77',
    'region-9',
  );
  expect(all).toContain('public-5');
});

test('files of the environment', async () => {
  await shows(
    {
      files: { '/work/.env': 'DB_PASSWORD=hunter22!\n' },
      body: [node('0', 'GET', { value: { text: ['x', { ns: 'ENV', name: 'DB_PASSWORD' }] } })],
    },
    'hunter22!',
  );
});

test('files of the environment, where one key alone is asked for', async () => {
  const all = await shows(
    {
      unit: { needs: { ...unitWith().needs, ports: ['references', 'records'], env: ['DB_PASSWORD'] } },
      files: { '/work/.env': 'DB_PASSWORD=hunter22!\n' },
      body: [node('0', 'GET', { value: { text: ['x', { ns: 'ENV', name: 'DB_PASSWORD' }] } })],
    },
    'hunter22!',
  );
  expect(all).toContain('"status":"passed"');
});

test('parameters, inputs and captures declared secret, also short ones', async () => {
  const commands = {
    LOGIN: { secret: ['pin'], does: ({ pin }: { pin?: unknown }) => ({ echoed: pin, text: 'abc', ok: true }) },
  };
  const all = await shows(
    {
      commands,
      unit: { inputs: [{ name: 'key', schema: {}, secret: true }] },
      options: { variables: { key: { text: 'k-9' } } },
      body: [
        node('0', 'LOGIN', { pin: 'p-1' }),
        node('1', 'GET', { value: { ref: variable('key') } }),
        node(
          '2',
          'GET',
          {
            value: {
              map: [
                ['otp', { lit: 'o77' }],
                ['rest', { lit: 'seen' }],
              ],
            },
          },
          { save_as: [{ name: 'otp', path: ['otp'], secret: true }] },
        ),
        node('3', 'GET', { value: { ref: variable('otp') } }),
        node(
          '4',
          'GET',
          { value: { ref: variable('otp') } },
          { expect: [compares(variable('result'), '==', 'other')] },
        ),
      ],
    },
    '"p-1"',
    '"k-9"',
    '"o77"',
  );
  expect(all).toContain('"rest":"seen"');
});

test('reasons, notices and dry runs', async () => {
  const host = { env: { API_TOKEN: 'hunter22!' } };
  await shows(
    {
      host,
      options: { dryRun: true },
      commands: { LOGIN: { secret: ['pin'], does: () => null } },
      body: [node('0', 'LOGIN', { pin: 'hunter33!', text: { text: [{ ns: 'env', name: 'API_TOKEN' }] } })],
    },
    'hunter22!',
    'hunter33!',
  );
  await shows(
    {
      options: { dryRun: true },
      body: [
        node('0', 'GET', {
          value: { lit: { user: 'ada', bot_token: 'written-1', servers: [{ password: 'written-2' }] } },
        }),
      ],
    },
    'written-1',
    'written-2',
  );
  await shows(
    {
      host,
      body: [
        node('0', 'SET', { name: 'x', value: 1 }),
        node('1', 'GET', { value: 1 }, { when: { ...compares(variable('x'), '==', 2), source: 'x == "hunter22!"' } }),
      ],
    },
    'hunter22!',
  );
});

test('headers of evidence by their name', async () => {
  const all = await shows(
    {
      commands: {
        ASK: (_, ctx) =>
          ctx.attach({
            kind: 'http',
            elapsed_ms: 1,
            request: {
              method: 'GET',
              url: 'https://ada:hunter22@x.example/',
              headers: { Authorization: 'Basic abc', accept: 'a/b' },
              body: 'token=ghp_' + 'a'.repeat(36),
            },
            response: { status: 200, headers: { 'set-cookie': 'sid=1' } },
          }),
      },
      body: [node('0', 'ASK')],
    },
    'hunter22',
    'Basic abc',
    'sid=1',
    'ghp_a',
  );
  expect(all).toContain('a/b');
});
