import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { Metafile } from 'esbuild';

import { inOrder, node, root, tool } from '../steps.ts';

import { keepReachable } from './declarations.ts';
import { inputsStamp, stampOf } from './inputs.ts';
import { withLock } from './lock.ts';

/** Modules that users import with types; `tsconfig.json` beside this file names the same. */
const typedDoors = [
  'compiler/api.ts',
  'compiler/library/files.ts',
  'compiler/library/api.ts',
  'compiler/library/browser.ts',
  'runtime/hosts/node.ts',
];

/** Packages whose code stands as text in what the generator makes. */
const asText = ['node_modules/playwright-core'];

/**
 * Brings generated files up to date, then makes `dist/`: the command line behind a stub, the public API with its types,
 * and the library that programs are linked from. It is put in place whole, by a rename, so that nobody sees half a
 * build. `--if-needed`: only where a source has been written since the last build. `--without-types`: for tests of code
 * that the compiler of types would not take.
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
    const metafiles: Metafile[] = [];
    const code = [
      { name: 'command line', run: () => commandLine(outdir, metafiles) },
      { name: 'library', run: () => library(outdir, metafiles) },
      { name: 'notices', run: () => notices(outdir, metafiles) },
      { name: 'starts', run: () => starts(outdir, metafiles) },
    ];
    const typed = process.argv.includes('--without-types') ? [] : [types];
    const failed = (await Promise.all([inOrder(typed), inOrder(code)])).find((status) => status !== 0);
    if (failed !== undefined) return failed;
    if (typed.length > 0) keepReachable(path.join(outdir, 'types'), typedDoors);
    writeFileSync(path.join(outdir, '.stamp'), stamp);
    putInPlace(outdir, target);
    return 0;
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

/**
 * Bundles the modules that users import, and the command line. The code for compiling and running is loaded
 * whole; the rest of the verbs lazily.
 */
async function commandLine(outdir: string, metafiles: Metafile[]): Promise<number> {
  const { bundleCommandLine, bundleStub } = await import('./bundle.ts');
  const { externalPackages } = await import('./library.ts');
  const verbs = ['check', 'lint', 'plan', 'compile'].map((verb) => `compiler/cli/${verb}/run.ts`);
  // A program of its own, which runs while many of it may: it loads nothing but itself.
  const loadEngine = 'runtime/adapters/load/engine/main.ts';
  // Functions for programs load the compiler with the first command.
  const functions = ['compiler/library/files.ts', 'compiler/library/api.ts', 'compiler/library/browser.ts'];
  // Modules that nearly everything shares; as chunks of their own they would be files of a few lines.
  const small = [
    'schemas/generated/ports.ts',
    'schemas/generated/validators/support.js',
    'schemas/types/secret-forms.ts',
    'grammar/tag-filter/parse.ts',
    'compiler/cli/answer.ts',
  ];
  // All that the command line has loaded before it knows the verb.
  const begins = [
    'compiler/engine/nearest.ts',
    'compiler/engine/version.ts',
    'runtime/program/standard-streams.ts',
    'runtime/reporters/outgoing.ts',
    'schemas/generated/failures.ts',
  ];
  // The compiler and functions for programs have these in common.
  const shared = [
    'compiler/catalogue.ts',
    'compiler/engine/own/package-folder.ts',
    'grammar/cron/scan.ts',
    'grammar/language/once.ts',
    'grammar/openapi/reference.ts',
    'grammar/reference/scan.ts',
    'grammar/source/cut-text.ts',
    'grammar/storage-uri/schemes.ts',
    'runtime/hosts/node.ts',
    'runtime/kernel/values/type-name.ts',
    'stdlib/command.ts',
  ];
  const made = await bundleCommandLine({
    first: 'compiler/cli/bin.ts',
    entries: [
      'compiler/api.ts',
      'compiler/engine/compile-actions.ts',
      ...functions,
      'runtime/hosts/node.ts',
      loadEngine,
    ],
    rooms: [
      { name: 'first', roots: begins, comesWith: (source) => source !== loadEngine },
      {
        name: 'verbs',
        roots: ['compiler/cli/parse-arguments.ts', 'schemas/generated/cli.ts'],
        comesWith: (source) => source.startsWith('compiler/cli/'),
      },
      { name: 'shared', roots: shared, comesWith: (source) => source !== loadEngine },
      {
        name: 'compiler',
        roots: [...verbs, ...small, 'grammar/document/yaml/read.ts'],
        comesWith: (source) => !functions.includes(source) && source !== loadEngine,
      },
      {
        name: 'run',
        roots: [
          'compiler/cli/run/run.ts',
          'runtime/kernel/values/values.ts',
          'runtime/kernel/blocks.ts',
          'runtime/kernel/control/controls.ts',
          'runtime/reporters/human.ts',
          // Many runs make requests.
          'stdlib/api/core/request/request.ts',
          'runtime/adapters/http/provider.ts',
        ],
        comesWith: (source, needed) =>
          source !== loadEngine &&
          (/^(stdlib|runtime|compiler\/(cli\/run|engine))\//.test(source) ||
            (source.startsWith('compiler/cli/') && needed().has('runtime/kernel/units/unit-run.ts'))),
      },
    ],
    externals: externalPackages(),
    outdir,
  });
  if (!made) return 1;
  metafiles.push(made.metafile);
  await bundleStub(path.join(outdir, 'bin', 'svc.js'));
  await bundleStub(path.join(outdir, 'bin', 'svc-mcp.js'), 'mcp');
  return 0;
}

/** Bundles the library from which programs are linked. */
async function library(outdir: string, metafiles: Metafile[]): Promise<number> {
  const { bundleLibrary } = await import('./bundle.ts');
  const { externalPackages, libraryEntries, writeLibrary } = await import('./library.ts');
  const made = await bundleLibrary({
    entries: libraryEntries(),
    externals: externalPackages(),
    outdir: path.join(outdir, 'lib'),
  });
  if (!made) return 1;
  metafiles.push(made.metafile);
  await writeLibrary(outdir, made);
  return 0;
}

/** Licences of what stands in the bundles, in the words of their packages. */
async function notices(outdir: string, metafiles: readonly Metafile[]): Promise<number> {
  const { bundledFolders, noticesFor } = await import('./notices.ts');
  const { copyShippedFiles, shippedFiles } = await import('./shipped-files.ts');
  copyShippedFiles(outdir);
  writeFileSync(
    path.join(outdir, 'third-party-notices.txt'),
    noticesFor([...bundledFolders(metafiles), ...asText].toSorted(), shippedFiles),
  );
  return 0;
}

/** Lets functions that a start calls be compiled with their modules; `--list-runs` lists those of runs before. */
async function starts(outdir: string, [ofCommandLine]: readonly Metafile[]): Promise<number> {
  const { compileCalledEarly, listFunctionsOfRuns } = await import('./called-functions.ts');
  if (!ofCommandLine) return 1;
  if (process.argv.includes('--list-runs')) await listFunctionsOfRuns(outdir, ofCommandLine);
  await compileCalledEarly(outdir, ofCommandLine);
  return 0;
}

function putInPlace(outdir: string, target: string): void {
  const old = `${outdir}-old`;
  if (existsSync(target)) renameSync(target, old);
  renameSync(outdir, target);
  rmSync(old, { recursive: true, force: true });
}

process.exitCode = await main(process.argv.includes('--if-needed'));
