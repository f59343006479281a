import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { jsonPathProblem, prepareJsonPath } from '#grammar/json-path/parse.ts';
import { readDocument } from '#grammar/document/read.ts';
import { parseToml } from '#grammar/toml/parse.ts';

import { casesOf } from '../grammar/case-file.ts';
import { languages } from '../grammar/languages.ts';

/**
 * The program that reads mutated texts, one language after the other, in a process under limits of the system:
 * `limited.ts COUNT SEED`. Ends with a line of JSON for each text that made a reader throw, go without a word, or take
 * long.
 */
const [count = 1_000, seed = 1] = process.argv.slice(2).map(Number);
/** Processor time (ms) of one text, on a machine that does other things too. */
const MOST_MS = 2_000;

/** Reads a text: true where it could, false where it told a mistake. */
type Read = (text: string) => boolean | Promise<boolean>;

const document =
  (source: string): Read =>
  async (text) => {
    const read = await readDocument(text, { source });
    if (read.document === undefined && read.diagnostics.length === 0) throw new Error('it goes without a word');
    return read.document !== undefined;
  };

const readers: Readonly<Record<string, Read>> = {
  json: document('a.json'),
  yaml: document('a.yaml'),
  toml: (text) => 'table' in parseToml(text),
  'json-path': (text) => jsonPathProblem(text) === undefined,
  ...Object.fromEntries(
    languages.map(({ name, parse }): readonly [string, Read] => [
      name,
      (text) => {
        const { tree, problems } = parse(text);
        if (tree === undefined && problems.length === 0) throw new Error('it goes without a word');
        return tree !== undefined;
      },
    ]),
  ),
};

const own: Readonly<Record<string, readonly string[]>> = {
  toml: [
    'a.b = 1 # c\n[[x]]\ny = """\n two\\\n  lines"""\n[t.u]\nz = [0x1f, 1_000, 1e3, true, \'raw\']\n"q r".s = {t = "\\u00e9"}\n',
    'when = 2024-05-01T10:00:00Z\nd = 1979-05-27\n[a]\n[a.b]\nc = -inf\n',
  ],
  'json-path': [
    "$.store.book[?(@.price < 10 && @['a'] == 'b')].title",
    '$..[1:5:2, -1, *]',
    "$[?match(@.a, '[a-z]+') || !@.b[?length(@.c) >= count($..d)]]",
    '$["a\\u00e9", \'b\'][?value(@..c) != null]',
  ],
  json: ['{"actions": [["FA_copy_file", ["a", "b"]], {"AT_set_variable": {"name": "x", "value": 1.5e3}}]}'],
  yaml: ["meta: &a { name: x }\nactions:\n- FA_copy_file: [a, b]\n  when: 'x == 1' # c\n- *a\n- |\n  text\n"],
};

const splinters = [
  ...'[](){}<>"\'`\\/.,:;=!?&|*%$#@~^+-_0123456789aeE \n\t\r\0',
  '..',
  '&&',
  '||',
  '${',
  '{{',
  '}}',
  '\u00e9',
  '\ud800',
  '\ufeff',
  '1e999',
  '__proto__',
  'true',
];

/** Mulberry32. */
let state = seed >>> 0;
function random(below: number): number {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
}

function mutated(texts: readonly string[]): string {
  let text = texts[random(texts.length)] ?? '';
  for (let times = 1 + random(4); times > 0; times -= 1) {
    const [from, to] = [random(text.length + 1), random(text.length + 1)].toSorted((a, b) => a - b) as [number, number];
    const piece = random(2) === 0 ? text.slice(from, to) : (splinters[random(splinters.length)] ?? '');
    // Most pieces come once, some so often that what grows with their square is seen.
    const often = random(50) === 0 ? 5_000 : 1 + random(3);
    text = text.slice(0, from) + piece.slice(0, 40).repeat(often) + text.slice(random(3) === 0 ? to : from);
    if (text.length > 400_000) text = text.slice(0, 400_000);
  }
  return text;
}

async function textsOf(name: string): Promise<readonly string[]> {
  const file = new URL(`../grammar/${name}/cases.yaml`, import.meta.url);
  return own[name] ?? (await casesOf(file)).map(({ input }) => input);
}

function keptOf(name: string): readonly string[] {
  const folder = join(import.meta.dirname, 'kept-texts', name);
  try {
    return readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  } catch {
    return [];
  }
}

async function judge(reader: string, read: Read, text: string): Promise<void> {
  const before = process.cpuUsage();
  let problem: string | undefined;
  try {
    await read(text);
  } catch (error) {
    problem = String(error).slice(0, 200);
  }
  const { user, system } = process.cpuUsage(before);
  if ((user + system) / 1000 > MOST_MS) problem ??= `it takes ${(user + system) / 1000} ms`;
  if (problem !== undefined) process.stdout.write(`${JSON.stringify({ reader, problem, text })}\n`);
}

await prepareJsonPath();
for (const [name, read] of Object.entries(readers)) {
  for (const text of keptOf(name)) await judge(name, read, text);
  const texts = await textsOf(name);
  for (let index = 0; index < count; index += 1) await judge(name, read, mutated(texts));
}
process.stdout.write(`${JSON.stringify({ done: Object.keys(readers).length * count })}\n`);
