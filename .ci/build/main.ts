import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { inOrder, node, root, tool } from '../steps.ts';

import { keepReachable } from './declarations.ts';
import { inputsStamp, stampOf } from './inputs.ts';
import { withLock } from './lock.ts';

/** What users import with types; `tsconfig.json` beside this file names the same. */
const typedDoors = ['compiler/api.ts', 'compiler/library/files.ts', 'runtime/hosts/node.ts'];

/**
 * Brings generated files up to date, then makes `dist/`: the command line behind a stub, the public API with its types, and the library that programs are linked
 * from. It is put in place whole, by a rename, so that nobody sees half a build. `--if-needed`: only where a source has
 * been written since the last build.
 */
function main(onlyIfNeeded: boolean): Promise<number> {
  const target = path.join(root, 'dist');
  const isCurrent = (): boolean => onlyIfNeeded && stampOf(target) === inputsStamp();
  // Another build may have made it while this one waited.
  return isCurrent()
    ? Promise.resolve(0)
    : withLock(path.join(root, '.cache', 'build.lock'), async () => (isCurrent() ? 0 : build(target)));
}

async function build(target: string): Promise<number> {
  const generated = await inOrder([{ name: 'generate', run: () => node('compiler/generate/main.ts', []) }]);
  if (generated !== 0) return generated;
  const stamp = inputsStamp();
  const outdir = path.join(root, '.cache', `build-${process.pid}`);
  try {
    const types = {
      name: 'declarations',
      run: () => tool('typescript/bin/tsc', ['-p', '.ci/build/tsconfig.json', '--outDir', path.join(outdir, 'types')]),
    };
    const code = [
      { name: 'command line', run: () => commandLine(outdir) },
      { name: 'library', run: () => library(outdir) },
    ];
    const failed = (await Promise.all([inOrder([types]), inOrder(code)])).find((status) => status !== 0);
    if (failed !== undefined) return failed;
    keepReachable(path.join(outdir, 'types'), typedDoors);
    writeFileSync(path.join(outdir, '.stamp'), stamp);
    putInPlace(outdir, target);
    return 0;
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

/** What a user imports, and the command line. What compiling and running need is loaded whole; the rest of the verbs lazily. */
async function commandLine(outdir: string): Promise<number> {
  const { bundleCommandLine } = await import('./bundle.ts');
  const { externalPackages } = await import('./library.ts');
  const verbs = ['check', 'lint', 'plan', 'compile'].map((verb) => `compiler/cli/${verb}/run.ts`);
  // Functions for programs load the compiler with the first command.
  const functions = 'compiler/library/files.ts';
  // What nearly everything shares; as chunks of their own they would be files of a few lines.
  const small = [
    'schemas/generated/ports.ts',
    'schemas/generated/validators/support.js',
    'schemas/types/secret-forms.ts',
    'grammar/tag-filter/parse.ts',
    'stdlib/command.ts',
  ];
  const files = await bundleCommandLine({
    first: 'compiler/cli/bin.ts',
    entries: ['compiler/api.ts', 'compiler/engine/compile-actions.ts', functions, 'runtime/hosts/node.ts'],
    rooms: [
      {
        name: 'compiler',
        roots: [...verbs, ...small, 'grammar/document/yaml-read.ts'],
        comesWith: (source) => source !== functions,
      },
      {
        name: 'run',
        roots: [
          'compiler/cli/run/run.ts',
          'runtime/kernel/values/values.ts',
          'runtime/kernel/blocks.ts',
          'runtime/reporters/human.ts',
        ],
        comesWith: (source) => /^(stdlib|runtime|compiler\/(cli\/run|engine))\//.test(source),
      },
    ],
    externals: externalPackages(),
    outdir,
  });
  writeStub(path.join(outdir, 'bin', 'svc.js'));
  return files ? 0 : 1;
}

/** What programs are linked from. */
async function library(outdir: string): Promise<number> {
  const { bundleLibrary } = await import('./bundle.ts');
  const { externalPackages, libraryEntries, writeLibrary } = await import('./library.ts');
  const files = await bundleLibrary({
    entries: libraryEntries(),
    externals: externalPackages(),
    outdir: path.join(outdir, 'lib'),
  });
  if (!files) return 1;
  await writeLibrary(outdir, files);
  return 0;
}

/**
 * The compile cache never covers the file that switches it on, so that file holds nothing else; and what an older Node, which
 * can read nothing else of ours, has to be told.
 */
function writeStub(file: string): void {
  const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    readonly engines: { readonly node: string };
  };
  const lowest = engines.node.replace('>=', '');
  const [major, minor] = lowest.split('.');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(
    file,
    `#!/usr/bin/env node
const { node } = process.versions;
const [major, minor] = node.split('.').map(Number);
if (major > ${major} || (major === ${major} && minor >= ${minor})) {
  process.getBuiltinModule('node:module').enableCompileCache();
  await import('../compiler/cli/bin.js');
} else {
  process.stderr.write(\`svc: Node \${node} is too old, it must be ${lowest} or newer. In a clone of the project, npm run svc brings one: npm run svc -- \${process.argv.slice(2).join(' ')}\\n\`);
  process.exitCode = 2;
}
`,
  );
  chmodSync(file, 0o755);
}

function putInPlace(outdir: string, target: string): void {
  const old = `${outdir}-old`;
  if (existsSync(target)) renameSync(target, old);
  renameSync(outdir, target);
  rmSync(old, { recursive: true, force: true });
}

process.exitCode = await main(process.argv.includes('--if-needed'));
