import { spawn } from 'node:child_process';
import path from 'node:path';

/** The project's folder. */
export const root: string = path.resolve(import.meta.dirname, '..');

/**
 * Words behind `node` that start the command line: the built one, which a whole run has made before its first file and
 * which starts in a third of the processor time; else the sources.
 */
export const commandLine: readonly string[] = process.env['SVC_TEST_IS_BUILT']
  ? [path.join(root, 'dist/compiler/cli/bin.js')]
  : ['--conditions=source', '--disable-warning=ExperimentalWarning', path.join(root, 'compiler/cli/bin.ts')];

/**
 * Makes `dist/` current, where a source has been written since it was made; resolves with the folder of the package.
 */
export function built(): Promise<string> {
  // A whole run has built before its files begin.
  if (process.env['SVC_TEST_IS_BUILT']) return Promise.resolve(root);
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--conditions=source', '--disable-warning=ExperimentalWarning', '.ci/build/main.ts', '--if-needed'],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        said += String(chunk);
      });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve(root) : reject(new Error(`the build failed:\n${said}`))));
  });
}
