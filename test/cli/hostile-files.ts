import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const utf16 = (text: string, bigEndian: boolean): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
};
const action = '- [AT_set_variable, { name: a, value: 1 }]\n';
const laughs = Array.from(
  { length: 30 },
  (_, index) => `a${index + 1}: &a${index + 1} [${Array.from({ length: 9 }, () => `*a${index}`).join(', ')}]`,
).join('\n');

/** Files that no author means, by name. */
export const hostileFiles: Readonly<Record<string, string | Buffer>> = {
  'empty.yaml': '',
  'empty.json': '',
  'blank.yaml': ' \n\t\n \n',
  'comment.yaml': '# nothing\n',
  'newlines.json': '\n\n\n',
  'binary.yaml': Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919) % 256)),
  'binary.json': Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 104_729) % 256)),
  'nul.yaml': `${action}\0\0`,
  'nul.json': '[["AT_set_variable", {"name": "a\0"}]]',
  'escaped-nul.json': String.raw`[["FA_create_file", {"file_path": "a\u0000b", "content": "\u0000"}]]`,
  'nested.json': '['.repeat(100_000),
  'nested-closed.json': `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  'nested-objects.json': '{"a":'.repeat(50_000),
  'nested.yaml': `${'- '.repeat(10_000)}a`,
  'nested-flow.yaml': '[{a: '.repeat(20_000),
  'indented.yaml': Array.from({ length: 2_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
  'cut-off.json': '{ "actions": [["AT_set_variable", { "name": "a", "va',
  'cut-off.yaml': 'actions:\n  - AT_set_variable: { name: a, value: "x',
  'cut-off-block.yaml': 'actions:\n  - AT_set_variable:\n      name: |',
  'crlf.yaml': action.replaceAll('\n', '\r\n').repeat(3),
  'cr.yaml': action.replaceAll('\n', '\r').repeat(3),
  'mixed-breaks.yaml': `${action.trim()}\r\n${action.trim()}\n${action}`,
  'bom.yaml': `\ufeff${action}`,
  'two-boms.yaml': `\ufeff\ufeff${action}`,
  'bom.json': '\ufeff[["AT_clear_variables"]]',
  'bom-only.yaml': '\ufeff',
  'utf16le.yaml': utf16(action, false),
  'utf16be.json': utf16('[["AT_clear_variables"]]', true),
  'latin1.yaml': Buffer.from('- [AT_set_variable, { name: a, value: "Grün" }]\n', 'latin1'),
  'overlong.yaml': Buffer.concat([
    Buffer.from('- "'),
    Buffer.from([0xc0, 0xaf, 0xed, 0xa0, 0x80, 0xf4, 0x90, 0x80, 0x80]),
    Buffer.from('"\n'),
  ]),
  'surrogate.json': String.raw`["\ud800", "\udc00\ud800"]`,
  'long-line.json': `[["FA_create_file", {"file_path": "a", "content": "${'x'.repeat(1_048_576)}"}]]`,
  'long-line.yaml': `- [FA_create_file, { file_path: a, contentt: "${'é'.repeat(524_288)}" }]\n`,
  'long-key.yaml': `- { ${'k'.repeat(200_000)}: 1 }\n`,
  'many-errors.yaml': '- [AT_set_variabel, { nme: a }]\n'.repeat(2_000),
  'many-brackets.yaml': '}])'.repeat(5_000),
  'laughs.yaml': `a0: &a0 [x, x]\n${laughs}\nactions: *a30\n`,
  'circle.yaml': '&a [*a]\n',
  'circle-in-map.yaml': 'actions: &a\n- FA_if_exists: { path: a, then: *a }\n',
  'unknown-alias.yaml': 'actions: *nothing\n',
  'documents.yaml': `${action}---\n${action}...\n`,
  'directives.yaml': '%YAML 1.1\n%TAG ! tag:x,2000:\n---\n- !x y\n',
  'tags.yaml': '- !!binary aGk=\n- !!python/object:os.system {}\n',
  'merge.yaml': 'a: &a { x: 1 }\nactions: [{ <<: *a }]\n',
  'tabs.yaml': '\t- a\n\t\t- b\n',
  'scalar.yaml': 'just text\n',
  'scalar.json': '"text"',
  'number.json': '42',
  'null.json': 'null',
  'true.yaml': 'true\n',
  'list.json': '[]',
  'object.json': '{}',
  'lists.json': '[[], [[]], [[[]]]]',
  'odd-actions.json': '[null, 1, true, "", [], {}, [""], [null], ["AT_set_variable", 1, 2, 3, 4], {"": {}}]',
  'numbers.json': '[1e999, 123456789012345678901234567890, -0, 0.1234567890123456789, 1E+2]',
  'numbers.yaml': '- .inf\n- .nan\n- 0o777\n- 0xFFFFFFFFFFFFFFFFFF\n- 1_000\n',
  'proto.json':
    '{"__proto__": {"actions": []}, "constructor": 1, "actions": [["__proto__", {"__proto__": 1}], ["constructor"], ["toString", {"valueOf": 1}], {"hasOwnProperty": {}}]}',
  'proto.yaml':
    'meta: { __proto__: { x: 1 }, inputs: { __proto__: {} }, defaults: { __proto__: {} } }\nactions:\n- AT_set_variable: { name: __proto__, value: 1, __proto__: 2 }\n  save_as: __proto__\n',
  'meta.json':
    '{"meta": {"name": [], "tags": "x", "depends_on": [1, null, "/", "..", ""], "inputs": [], "secrets": {}, "modules": 1, "env": {}, "dataset": {"path": 1}, "timeout_s": "x", "retry": [], "on_failure": 1, "defaults": 1, "base_url": {}, "lint": {"ignore": [null, 1, {}]}, "requires": {}}, "actions": 1, "setup": "x", "teardown": {}}',
  'two-bodies.yaml': 'actions: []\nsvc: []\nwebdriver_wrapper: {}\nnodes: []\n',
  'nodes.json':
    '{"nodes": [null, {}, {"id": 1}, {"id": "a", "action": []}, {"id": "a", "action": "AT_clear_variables", "depends_on": ["a", 1, "none"]}]}',
  'nodes-object.json': '{"nodes": {"a": 1}}',
  'options.yaml':
    '- AT_clear_variables:\n  id: 1\n  name: {}\n  tags: x\n  depends_on: {}\n  when: [1]\n  expect: [null, 1, "((((("]\n  save_as: [null, {}, { name: 1 }]\n  retry: { max_attempts: -1, on: [x] }\n  timeout_s: -1\n  on_failure: maybe\n  other: 1\n',
  'references.yaml': `- [AT_set_variable, { name: a, value: "${'${ENV.'.repeat(500)}" }]\n- [AT_set_variable, { name: b, value: "${'{{a.'.repeat(500)}" }]\n- [AT_set_variable, { name: c, value: "\${}{{}}\${:}{{.}}\${date:%}\${ENV.A:-\${ENV.B}}$\${x}\\\\{{y}}" }]\n`,
  'conditions.yaml': `- AT_clear_variables:\n  when: "${'('.repeat(3_000)}"\n- AT_clear_variables:\n  when: "${'!'.repeat(3_000)}a"\n- AT_clear_variables:\n  expect: 'matches(a, /(((((a+)+)+)+)+$/)'\n`,
  'suppressions.yaml':
    '# svc-ignore\n# svc-ignore :::\n# svc-ignore a,,b\n# svc-ignore no-hard-wait,\n- [AT_clear_variables]\n# svc-ignore no-hard-wait: x',
};

/**
 * Writes them, and what cannot be written as text: a folder, links that lead nowhere, to themselves, and to what cannot
 * be read.
 */
export function writeHostileFiles(folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(hostileFiles)) writeFileSync(join(folder, name), content);
  mkdirSync(join(folder, 'folder.yaml'));
  symlinkSync('nowhere.yaml', join(folder, 'dangling.yaml'));
  symlinkSync('itself.yaml', join(folder, 'itself.yaml'));
  // Reading it fails, also for the superuser.
  symlinkSync('/proc/self/mem', join(folder, 'unreadable.yaml'));
  writeFileSync(join(folder, 'name with "quotes" and \u001b[31mcolour.yaml'), '- [NOT_a_command]\n');
  return [
    ...Object.keys(hostileFiles),
    'folder.yaml',
    'dangling.yaml',
    'itself.yaml',
    'unreadable.yaml',
    'name with "quotes" and \u001b[31mcolour.yaml',
    'missing.yaml',
    '',
    '.',
    '..',
    '/dev/null',
    'a\0b.yaml',
    '[',
    '{a,',
    '***',
    '!x',
    'x'.repeat(5_000),
  ];
}
