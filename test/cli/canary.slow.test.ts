import { createServer, type Server } from 'node:http';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { built } from '../built.ts';
import { codes, escapes, readings } from '../written-secrets.ts';
import { startSvc, svc, type Said } from './svc.ts';

/**
 * One secret for each way in, so that a leak tells where it came from. Their letters look different in every encoding.
 */
const canary = (origin: string): string => `${origin}/+=?&"Kä\\se ${Buffer.from(origin).toString('hex')}`;
const secrets = {
  environment: canary('env1ronment'),
  dotenv: 'dotenv-c4nary+7/=',
  listed: canary('l1sted-keys'),
  file: canary('f1le-stored'),
  input: canary('1nput-given'),
  capture: canary('captur3-kept'),
  parameter: canary('param3ter'),
  url: 'url-p4ssword+x',
  address: 'HTTPS://Hooks.Example.COM:443/in/c4nary-room/T1?Token=c4nary-key x',
  number: '4815162342',
} as const;

const address = new URL(secrets.address);
/** Secrets in the form in which a program writes them that has read them first. */
const normal: Readonly<Partial<Record<keyof typeof secrets, readonly string[]>>> = {
  address: [
    secrets.address,
    address.href,
    `https://hooks.example.com:443${address.pathname}${address.search}`,
    `${address.pathname}${address.search}`,
  ],
};

/** Every way in which a server, a page or a file may write a secret. */
function writtenForms(origin: keyof typeof secrets): readonly string[] {
  return (normal[origin] ?? [secrets[origin]]).flatMap((secret) => [
    secret,
    ...Object.values({ ...escapes, ...codes }).map((write) => write(secret)),
    ...Object.values(escapes).flatMap((write) => [encodeURIComponent(write(secret)), JSON.stringify(write(secret))]),
  ]);
}

/** The middle of each secret: it is found in whatever is left of a form. */
const telling: Readonly<Record<keyof typeof secrets, readonly string[]>> = {
  ...(Object.fromEntries(
    Object.entries(secrets).map(([origin, secret]) => [origin, [secret.slice(2, 10)]]),
  ) as unknown as Record<keyof typeof secrets, readonly string[]>),
  address: ['c4nary-room', 'c4nary-key'],
};

/** A text with all escapes taken from it, layer by layer. */
function plainly(text: string): string {
  const escape = /(?:%[0-9a-f]{2})+|\\u([0-9a-f]{4})|\\(["\\/])|&#x([0-9a-f]{1,6});|&#([0-9]{1,7});|&amp;/gi;
  const less = text.replaceAll(escape, (all: string, unit?: string, sign?: string, sixteen?: string, ten?: string) => {
    if (all.startsWith('%')) return Buffer.from(all.replaceAll('%', ''), 'hex').toString();
    if (sign !== undefined) return sign;
    if (all === '&amp;') return '&';
    return String.fromCodePoint(ten === undefined ? parseInt(unit ?? sixteen ?? '', 16) : Number(ten));
  });
  return less === text ? text : `${text}\n${plainly(less)}`;
}

let server: Server;
/** Number of requests to the server. */
let asked = 0;
let folder = '';

beforeAll(async () => {
  await built();
  // It answers with all that it was sent, as it is and encoded, in two pieces that cut a secret in two.
  server = createServer((request, response) => {
    asked += 1;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const [, origin] = /^\/forms\/(.*)$/.exec(request.url ?? '') ?? [];
      const said = JSON.stringify({
        url: request.url,
        headers: request.headers,
        body,
        token: secrets.capture,
        again: origin === undefined ? [] : writtenForms(origin as keyof typeof secrets),
        ...(origin === 'number' && { number: Number(secrets.number) }),
      });
      const half = Buffer.byteLength(said.slice(0, said.indexOf(secrets.capture.slice(0, 7)) + 4));
      const bytes = Buffer.from(said);
      response.writeHead(request.url?.startsWith('/fail') ? 500 : 200, {
        'content-type': 'application/json',
        'x-token': encodeURIComponent(secrets.environment),
        'set-cookie': `sid=${encodeURIComponent(secrets.capture)}`,
      });
      response.write(bytes.subarray(0, half));
      setTimeout(() => response.end(bytes.subarray(half)), 20);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-canary-')));
  mkdirSync(join(folder, 'secrets'));
  writeFileSync(join(folder, 'secrets/pin'), `${secrets.file}\n`);
  writeFileSync(join(folder, '.env'), `STORED_PASSWORD=${secrets.dotenv}\n`);
  writeFileSync(join(folder, 'svc.config.yaml'), 'secrets: { file_root: secrets, env: [LISTED] }\n');
  writeFileSync(join(folder, 'made.yaml'), steps((server.address() as AddressInfo).port));
  writeFileSync(
    join(folder, 'after.yaml'),
    'meta: { depends_on: [made] }\nactions:\n- AT_get_variable: { name: captured }\n  expect: result == "other"\n- AT_get_variable: { name: whole }\n',
  );
  writeFileSync(
    join(folder, 'broken.yaml'),
    'actions:\n- AT_get_variable: { nam: "${ENV.API_TOKEN}${file:pin}" }\n- FA_file_checksum: { path: "{{pin}}", algorithm: [] }\n',
  );
}, 300_000);

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Secrets on every way in, and out: through requests, answers, results, failures, names of files, cause chains, nested
 * steps.
 */
function steps(port: number): string {
  const here = `http://127.0.0.1:${port}`;
  return `meta:
  on_failure: continue
  inputs: { pin: { type: string, secret: true }, code: { type: integer, secret: true } }
actions:
- AT_test_api_method:
    http_method: post
    test_url: "${here}/echo?token=\${ENV.API_TOKEN}&pin={{pin}}"
    headers: { authorization: "Bearer \${ENV.API_TOKEN}", x-pin: "\${file:pin}" , x-listed: "\${env:LISTED}" }
    json: { pin: "{{pin}}", list: ["\${ENV.STORED_PASSWORD}", { deep: "\${file:pin}" }] }
  name: answers with everything
  save_as: [{ name: captured, path: json.token, secret: true }, whole]
- AT_test_api_method: { http_method: get, test_url: "${here}/", auth: [ada, "\${env:PLAIN}"] }
- AT_test_api_method: { http_method: get, test_url: "http://ada:\${env:PLAIN_URL}@127.0.0.1:${port}/" }
- AT_test_api_method: { http_method: get, test_url: "http://ada:\${env:PLAIN_URL}@127.0.0.1:1/none?token=\${ENV.API_TOKEN}" }
  retry: { max_attempts: 2, interval_s: 0.01 }
- AT_test_api_method: { http_method: get, test_url: "${here}/fail/{{captured}}" }
- AT_get_variable: { name: captured }
  expect: [result == "nothing like it"]
- AT_get_variable: { name: none, default: { deep: ["{{captured}}", "a{{pin}}b", "\${ENV.STORED_PASSWORD}\${file:pin}"] } }
- AT_check_json_schema: { payload: { a: "\${file:pin}" }, schema: { properties: { a: { type: integer, const: "{{pin}}" } } } }
- FA_file_checksum: { path: "none/{{captured}}/\${ENV.API_TOKEN}.txt" }
- FA_unzip_file: { zip_file_path: "none.zip", extract_member: "{{pin}}", password: "\${env:PLAIN}" }
- FA_if_exists:
    path: "none-\${file:pin}"
    then: [[AT_clear_variables]]
    else_:
      - AT_get_variable: { name: none, default: "\${ENV.STORED_PASSWORD}" }
        expect: result == "x"
- AT_get_variable: { name: none, default: ["\${ENV.HOOK_WEBHOOK}", "{{code}}", "code {{code}}!"] }
  expect: result == "x"
- AT_test_api_method: { http_method: get, test_url: "${here}/code/{{code}}", headers: { x-hook: "\${ENV.HOOK_WEBHOOK}" } }
${Object.keys(secrets)
  .map(
    (origin) =>
      `- AT_test_api_method: { http_method: get, test_url: "${here}/forms/${origin}" }\n  expect: result.json.token == "x"\n  save_as: forms_${origin}\n`,
  )
  .join('')}- AT_get_variable: { name: none, default: "\${ENV.API_TOKEN}" }
  when: \${ENV.API_TOKEN} == "x" || {{pin}} == "y"
`;
}

const env = {
  API_TOKEN: secrets.environment,
  LISTED: secrets.listed,
  PLAIN: secrets.parameter,
  PLAIN_URL: secrets.url,
  HOOK_WEBHOOK: secrets.address,
};
const given = ['--var', `pin=${secrets.input}`, '--var', `code=${secrets.number}`];

/** Files that hold secrets because somebody put them there. */
const sources = new Set(['secrets/pin', '.env', 'made.yaml', 'after.yaml', 'broken.yaml', 'svc.config.yaml']);

function expectNoCanary(text: string, what: string): void {
  const read = readings(plainly(text));
  for (const [origin, parts] of Object.entries(telling)) {
    for (const part of parts) {
      const at = read.indexOf(part);
      if (at >= 0)
        expect.fail(
          `${what} tells the secret "${origin}": ${JSON.stringify(read.slice(Math.max(0, at - 200), at + 60))}`,
        );
    }
  }
}

/** Files that were read, by name, as they were then. */
const seen = new Map<string, string>();

/** Whether a file is there that was not read yet, or is another one by now. */
function isNew(name: string): boolean {
  const { ino, size, mtimeNs, ctimeNs } = statSync(join(folder, name), { bigint: true });
  const state = [ino, size, mtimeNs, ctimeNs].join(' ');
  const before = seen.get(name);
  seen.set(name, state);
  return state !== before;
}

/** Expects the secrets neither in the output nor in any file that was written. */
function expectSilence({ stdout, stderr }: Said, what: string): void {
  expectNoCanary(stdout, `standard output of ${what}`);
  expectNoCanary(stderr, `standard error of ${what}`);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (sources.has(name) || !statSync(join(folder, name)).isFile() || !isNew(name)) continue;
    expectNoCanary(readFileSync(join(folder, name), 'utf8'), `${name} of ${what}`);
  }
}

const reporters = ['allure', 'human', 'json', 'junit', 'tap', 'github', 'html', 'azure', 'ctrf', 'gitlab', 'markdown'];
const everything = [
  '--record',
  'out/run.jsonl',
  ...reporters.flatMap((name) => ['--reporter', `${name}=out/${name}.txt`]),
  '--reporter',
  'human',
  '-v',
];

describe('no secret is told', () => {
  test.each([
    ['in one process', []],
    ['in a process of its own', ['--isolate']],
    ['with attempts', ['--retries', '1']],
  ] as const)(
    'by a run %s',
    async (_, more) => {
      const said = await svc(folder, ['run', 'after.yaml', ...given, ...everything, ...more], { env });
      expect(said.exit, said.stderr).toBe(1);
      const lines = readFileSync(join(folder, 'out/run.jsonl'), 'utf8').trimEnd().split('\n');
      expect(lines.length, 'every step of the first file ran').toBeGreaterThan(12);
      expect(said.stdout, 'requests are shown').toContain('> authorization: ***');
      expect(said.stdout.match(/\*\*\*/g)?.length, 'secrets were there').toBeGreaterThan(30);
      expectSilence(said, 'svc run');
    },
    60_000,
  );

  test('by a run that only shows', async () => {
    expectSilence(
      await svc(folder, ['run', 'after.yaml', ...given, ...everything, '--dry-run'], { env }),
      'svc run --dry-run',
    );
  });

  test.each([
    ['check'],
    ['lint'],
    ['lint', '--format', 'sarif'],
    ['plan'],
    ['plan', '--format', 'json'],
    ['plan', '--format', 'mermaid'],
    ['plan', '--format', 'dot'],
    ['check', '--json'],
    ['migrate'],
  ] as const)('by svc %s %s %s', async (...way) => {
    const flags = way[0] === 'migrate' ? [] : given;
    expectSilence(
      await svc(folder, [...way.filter(Boolean), 'after.yaml', 'broken.yaml', ...flags], { env }),
      `svc ${way.join(' ')}`,
    );
    expectSilence(await svc(folder, [...way.filter(Boolean), 'after.yaml', ...flags], { env }), `svc ${way.join(' ')}`);
  });

  test('by wrong values from outside', async () => {
    expectSilence(
      await svc(folder, ['run', 'made.yaml', '--var', `pin:=${JSON.stringify([secrets.input])}`], { env }),
      'svc run with a pin that does not fit',
    );
    expectSilence(
      await svc(folder, ['run', 'made.yaml', '--var', `pin:=${secrets.input}`], { env }),
      'svc run with a pin that is no JSON',
    );
  });

  test('by programs, their plans and the manifest, and by what they write', async () => {
    const made = await svc(
      folder,
      ['compile', 'after.yaml', 'made.yaml', '-o', 'programs', '--plan', '--debug', ...given],
      { env },
    );
    expect(made.exit, made.stderr).toBe(0);
    expectSilence(made, 'svc compile');
    const said = await svc(folder, ['run', 'programs/after.mjs', ...given, ...everything], { env });
    expect(said.exit).toBe(1);
    expectSilence(said, 'svc run of a program');
  }, 60_000);

  test('by a run that is interrupted', async () => {
    const { child, ended } = startSvc(folder, ['run', 'made.yaml', ...given, ...everything, '--retries', '200'], env);
    const before = asked;
    while (asked < before + 5 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill('SIGTERM');
    const said = await ended;
    expect(said.exit).toBe(143);
    expectSilence(said, 'svc run that was interrupted');
  }, 60_000);
});

test('the canaries would be found', () => {
  for (const origin of Object.keys(secrets) as (keyof typeof secrets)[])
    for (const form of writtenForms(origin))
      expect(() => expectNoCanary(`a ${form} b`, 'a text'), form).toThrow(`tells the secret "${origin}"`);
});
