import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { checkMessages } from '#compiler/generate/messages/check.ts';
import { diagnosticsModule, failuresModule } from '#compiler/generate/messages/constructors.ts';
import { readMessages } from '#compiler/generate/messages/read.ts';
import { Mistakes } from '#compiler/generate/mistakes.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import { explanations } from '#schemas/generated/explain.ts';
import * as fail from '#schemas/generated/failures.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'messages-'));
mkdirSync(path.join(folder, 'schemas/messages'), { recursive: true });
afterAll(() => rmSync(folder, { recursive: true }));

function read(
  text: string,
  file = '4-resolve.md',
): { messages: ReturnType<typeof readMessages>; mistakes: readonly string[] } {
  const target = path.join(folder, 'schemas/messages', file);
  writeFileSync(target, text);
  const mistakes = new Mistakes();
  const messages = checkMessages(readMessages(folder, mistakes), mistakes);
  rmSync(target);
  return { messages, mistakes: mistakes.found };
}

const section = (heading: string, metadata: string, message = '> There is no "%name%".'): string =>
  `## ${heading}\n${metadata}\n${message}\n\nWhy, and what to do.\n`;

describe('message files', () => {
  it('are read whole: metadata, message of several lines, prose, examples with fences', () => {
    const { messages, mistakes } = read(`# Title

## SVC40002 unknown-command
severity: error
> There is no command
> "%name%".
label: did you mean "%nearest%"?
help: \`svc commands\` lists them.

Prose with a ## in it.

### Bad
\`\`\`yaml login.yaml
- NOPE
## no heading
\`\`\`
\`\`\`json
[]
\`\`\`
### Good
  \`\`\`yaml
  - WR_quit_all
  \`\`\`
`);
    expect(mistakes).toEqual([]);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({
      code: 'SVC40002',
      slug: 'unknown-command',
      text: 'There is no command "%name%".',
      prose: 'Prose with a ## in it.',
      metadata: { severity: 'error', label: 'did you mean "%nearest%"?', help: '`svc commands` lists them.' },
      bad: [
        { language: 'yaml', name: 'login.yaml', text: '- NOPE\n## no heading\n' },
        { language: 'json', text: '[]\n' },
      ],
      good: [{ language: 'yaml', text: '- WR_quit_all\n' }],
    });
  });

  it.each([
    [
      'a code twice',
      section('SVC40001 one', 'severity: error') + section('SVC40001 two', 'severity: error'),
      'line 6: "SVC40001" is used already',
    ],
    [
      'a slug twice',
      section('SVC40001 one', 'severity: error') + section('SVC40002 one', 'severity: error'),
      '"one" is used already',
    ],
    [
      'an unknown word',
      section('SVC40001 one', 'severity: error\ncolour: red'),
      '"colour" is no metadata of a message',
    ],
    ['an unknown severity', section('SVC40001 one', 'severity: fatal'), '"fatal" is no severity'],
    [
      'neither severity nor class',
      section('SVC40001 one', 'help: x'),
      'needs either "severity" (a diagnostic) or "class" (a failure)',
    ],
    ['an unknown class', section('SVC40001 one', 'class: odd'), '"odd" is no failure class'],
    ['a code of another file', section('SVC50001 one', 'severity: error'), 'codes of this file begin with SVC4'],
    ['a heading that is none', section('SVC4 one', 'severity: error'), 'a section begins with'],
    ['no message', section('SVC40001 one', 'severity: error', ''), 'there is no message'],
    ['no prose', '## SVC40001 one\nseverity: error\n> Text.\n', 'does not say why'],
    [
      'an argument with the name of an option',
      section('SVC40001 one', 'severity: error', '> See "%fixes%".'),
      'cannot be called "fixes"',
    ],
    [
      'a bad example alone',
      `${section('SVC40001 one', 'severity: error')}### Bad\n\`\`\`yaml\nx\n\`\`\`\n`,
      'come together',
    ],
  ])('with %s are mistakes', (_, text, expected) => {
    expect(read(text).mistakes.join('\n')).toContain(expected);
  });
});

describe('constructors', () => {
  it('escape what a message says', () => {
    const { messages } = read(section('SVC40001 odd-text', 'severity: error', "> It's `a` ${b} \\ %name% 100%."));
    expect(diagnosticsModule(messages)).toContain("`It's \\`a\\` \\${b} \\\\ ${o.name} 100%.`");
    expect(failuresModule(messages)).not.toContain('oddText');
  });

  it('make diagnostics with label, help and arguments', () => {
    const at = { source: 'a.yaml', route: [0], part: 'key' as const };
    const { slug } = explanations.find(({ kind, label }) => kind === 'diagnostic' && label !== undefined) ?? {
      slug: '',
    };
    expect(slug).not.toBe('');
    const found = d.unknownField({ at, field: 'retri', owner: 'meta', allowed: '"retry"', nearest: 'retry' });
    expect(found).toMatchObject({
      slug: 'unknown-field',
      severity: 'error',
      args: { field: 'retri', nearest: 'retry' },
      related: [],
      fixes: [],
    });
    expect(found.message).toContain('"retri"');
    expect(found.primary.text).toContain('retry');
    expect(d.unknownField({ at, field: 'retri', owner: 'meta', allowed: '"retry"' }).primary.text).toBeUndefined();
  });

  it("make failures with the exception's name, class and evidence", () => {
    const cause = new Error('ENOENT');
    const failure = fail.fileNotFound({ path: 'a.txt', cause, expected: 'a file', result: null });
    expect(failure).toMatchObject({ name: 'FileNotExistsException', message: 'There is no file "a.txt".', cause });
    expect(failure.facts).toMatchObject({ code: 'SVC85000', class: 'real' });
    expect(failure.options).toEqual({ expected: 'a file', cause, result: null });
  });

  it('end with one full stop, also where the reason is a sentence of its own', () => {
    const at = { source: 'a.yaml', route: [0], part: 'key' as const };
    expect(fail.runStopped({ reason: 'It broke.' }).message).toBe('The run was stopped: It broke.');
    expect(fail.runStopped({ reason: 'it broke' }).message).toBe('The run was stopped: it broke.');
    expect(d.jsonPathUnreadable({ at, parameter: 'path', command: 'A', reason: 'It broke.' }).message).toMatch(
      /: It broke\.$/,
    );
  });

  it('are explained, every one', () => {
    expect(explanations.length).toBe(Object.keys(d).length + Object.keys(fail).length);
  });
});

it('the word that goes with a number is the one that is said', () => {
  const text = '> %count% %count:place|places% of %total% %total:file|files%.';
  const { messages, mistakes } = read(section('SVC40002 odd', 'severity: error', text));
  expect(mistakes).toEqual([]);
  const made = diagnosticsModule(messages);
  expect(made).toContain(
    "`${o.count} ${o.count === 1 ? 'place' : 'places'} of ${o.total} ${o.total === 1 ? 'file' : 'files'}.`",
  );
  expect(made).toContain('{ count: o.count, total: o.total }');
  expect(made).toContain('/** SVC40002: %count% places of %total% files. */');
  expect(fail.secretsFound({ count: 1, places: 'a' }).message).toBe('1 place looks like a hard-coded secret: a.');
  expect(fail.secretsFound({ count: 2, places: 'a, b' }).message).toBe('2 places look like hard-coded secrets: a, b.');
  expect(explanations.find(({ code }) => code === 'SVC82020')?.message).toMatch(/^%count% places look/);
});
