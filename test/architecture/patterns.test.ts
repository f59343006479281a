import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { filesOfGit, lacksGit } from './files-of-git.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Files that make regular expressions of texts at run time, with what those texts are: never a user's own pattern. */
const MADE: Readonly<Record<string, string>> = {
  'schemas/types/bounded-match.ts': 'the one place that runs patterns of users: under a limit where they are not quick',
  'runtime/hosts/node/match.ts': 'the search itself, in a context that is stopped',
  'runtime/adapters/json-schema/pattern.ts': 'made to be refused, never searched with: the port `regex` does that',
  'runtime/adapters/json-schema/provider.ts': 'made to be refused, never searched with: the port `regex` does that',
  'runtime/servers/mcp/server.ts': 'patterns of our own declarations',
  'compiler/generate/meta-schema.ts': 'patterns of our own declarations, when they are generated',
  'compiler/generate/scaffold/migration.ts': 'a name that a developer gives',
  'compiler/generate/scaffold/command.ts': 'a name that a developer gives',
  'compiler/generate/scaffold/rule.ts': 'a name that a developer gives',
  'compiler/generate/commands/validators.ts': 'formats, written into a generated file',
  'runtime/kernel/records/unescaper.ts': 'escapes of our own list: the letters of secrets only choose among them',
  'stdlib/files/local/grep/line-matcher.ts': 'a text with every mark escaped',
  'stdlib/files/safety/trash/trash-info.ts': 'keys that stand in the code',
  'stdlib/api/mock/http/check-shape.ts': 'patterns that stand in the code',
  'stdlib/api/core/request/soap-fault.ts': 'names of elements that stand in the code',
  'stdlib/api/mock/http/rule.ts':
    'a rule of texts with marks escaped and classes of ours, at most one of which takes slashes',
  'grammar/openapi/base-path.ts':
    'a path with every mark escaped, each of its variables one class of ours without slashes',
  'grammar/openapi/pattern/read-pattern.ts': 'one sign or one class of a pattern, tried on one sign',
  'grammar/language/unicode-pattern.ts': 'patterns of tokens',
  'grammar/language/late-pattern.ts': 'patterns of names and steps, made when one is first needed',
};

/** A module-level constant whose pattern is made from the code alone. */
const CONSTANT =
  /^(?:export )?const [A-Za-z_]+(?:: [\w<>]+)? = (?:new RegExp\(|createToken\(\{.*pattern: new RegExp\()/;

describe.skipIf(lacksGit)('regular expressions', () => {
  it('are made of texts only where a line here says what these are', () => {
    const files = filesOfGit(root, { others: true }).filter(
      (file) => file.endsWith('.ts') && /^(grammar|compiler|runtime|stdlib|schemas\/types)\//.test(file),
    );
    const made = files.filter((file) => {
      const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
      return lines.some((line) => /\bRegExp\s*\(/.test(line) && !CONSTANT.test(line));
    });
    expect(made.filter((file) => !Object.hasOwn(MADE, file))).toEqual([]);
    expect(
      Object.keys(MADE).filter((file) => !made.includes(file)),
      'lines without a file',
    ).toEqual([]);
  });
});
