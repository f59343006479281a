import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { filesOfGit, lacksGit } from './files-of-git.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The one door for text that leaves a process. */
const DOOR = 'runtime/program/standard-streams.ts';
/** Tools that make this package: they run on nobody's files but ours, and nobody installs them. */
const tools = /^(?:\.ci|compiler\/generate|test|schemas\/generated)\//;

/** Ways to write to standard output or standard error beside the door. */
const ways: Readonly<Record<string, RegExp>> = {
  'a stream of the process': /\bprocess\s*(?:\?\.|\.)\s*(?:stdout|stderr)\b|\bprocess\[['"`]std(?:out|err)/,
  'its streams by name': /\bimport\b[^;]*\b(?:stdout|stderr)\b[^;]*['"](?:node:)?process['"]/,
  console: /\bconsole\s*(?:\?\.|\.)\s*\w+\(|\bconsole\[/,
  'a descriptor': /\b(?:write|writev|writeFile|appendFile|createWriteStream)(?:Sync)?\(\s*[12]\s*,|\bfd:\s*[12]\b/,
  'a device': /['"`]\/dev\/(?:stdout|stderr|tty|fd\/[12])\b|['"`]CONOUT\$/,
  'a process that has them as its own': /\bstdio:\s*['"]inherit['"]|['"]inherit['"]|\bstdio:\s*\[[^\]]*\b[12]\b/,
  'the debugger or a warning': /\bprocess\s*\.\s*(?:_rawDebug|emitWarning)\b/,
};

/** Modules that may use each way, and why. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  // The process of one file under --isolate writes through this same door.
  'compiler/engine/worker/worker.ts': ['a process that has them as its own'],
  // The command line again, in a process that may do less; it writes through this same door.
  'compiler/cli/confine.ts': ['a process that has them as its own'],
  // A process of its own: what it finds is read by the run that started it, which masks and writes it.
  'runtime/adapters/load/engine/main.ts': ['a stream of the process'],
  // Whoever uses the library may listen to warnings; these go through the door's rules.
  'compiler/library/warn.ts': ['the debugger or a warning'],
  // An older Node can read nothing else of ours.
  'compiler/cli/stub.ts': ['a stream of the process'],
  // Names under which a user means the streams: they are recognized, and written to through the door.
  'runtime/program/reports.ts': ['a device'],
  // Asks whether somebody sits there, and writes nothing.
  'stdlib/files/backends/drive/sign-in.ts': ['a stream of the process'],
  // A word of the file format that it reads.
  'grammar/import/bruno.ts': ['a process that has them as its own'],
  // Keeps one warning of Node away.
  'runtime/adapters/sqlite/load-sqlite.ts': ['the debugger or a warning'],
  // The same, of a package.
  'runtime/adapters/http/proxy-pool.ts': ['the debugger or a warning'],
  // A thread of its own, while the process can do nothing else: words of the catalogue with the name of a package.
  'runtime/adapters/modules/without-endless-loop.ts': ['a descriptor'],
  // The text of a file for a project of the user's own.
  'stdlib/files/reporting/project/starter-files.ts': ['console', 'a process that has them as its own'],
};

function found(text: string): readonly string[] {
  const code = text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
  return Object.entries(ways).flatMap(([way, expression]) => (expression.test(code) ? [way] : []));
}

describe.skipIf(lacksGit)('text that leaves the process', () => {
  const files = filesOfGit(root, { others: true }).filter(
    (file) => /\.(?:ts|cjs|mjs)$/.test(file) && !tools.test(file) && file !== DOOR && existsSync(path.join(root, file)),
  );

  it('goes through one door', () => {
    expect(files.length).toBeGreaterThan(500);
    const others = files.flatMap((file) =>
      found(readFileSync(path.join(root, file), 'utf8'))
        .filter((way) => !allowed[file]?.includes(way))
        .map((way) => `${file}: ${way}`),
    );
    expect(others).toEqual([]);
  });

  it('has no exceptions that nobody needs', () => {
    const unused = Object.entries(allowed).flatMap(([file, names]) =>
      names
        .filter((way) => !found(readFileSync(path.join(root, file), 'utf8')).includes(way))
        .map((way) => `${file}: ${way}`),
    );
    expect(unused).toEqual([]);
  });

  it.each([
    ["process.stdout.write('x')", 'a stream of the process'],
    ["process['stderr'].write('x')", 'a stream of the process'],
    ["import { stdout } from 'node:process';", 'its streams by name'],
    ["console.log('x')", 'console'],
    ["writeSync(1, 'x')", 'a descriptor'],
    ["fs.createWriteStream('', { fd: 2 })", 'a descriptor'],
    ["writeFileSync('/dev/stderr', 'x')", 'a device'],
    ["spawn('sh', [], { stdio: 'inherit' })", 'a process that has them as its own'],
    ["spawn('sh', [], { stdio: ['ignore', 1, 2] })", 'a process that has them as its own'],
  ])('%s would be found', (code, way) => {
    expect(found(code)).toContain(way);
  });

  it('is not found in comments', () => {
    expect(found('// process.stdout\n/* console.log(1) */\nconst a = 1;')).toEqual([]);
  });
});
