import { execFileSync } from 'node:child_process';

import { stringify } from 'smol-toml';
import { describe, expect, it } from 'vitest';

import { parseToml } from '#grammar/toml/parse.ts';

import { lacks } from '../fixtures/programs.ts';

function problem(text: string): string {
  const read = parseToml(text);
  return 'problem' in read ? `${read.problem.line}:${read.problem.column} ${read.problem.reason}` : 'none';
}
const read = (text: string): unknown => {
  const found = parseToml(text);
  return 'table' in found ? found.table : found.problem;
};

describe('TOML', () => {
  it('is read as it is written', () => {
    expect(
      read(
        '\ufeffa.b = 1 # c\r\n[[x]]\ny = """\n two\\\n  lines"""\n[[x]]\nz = [0x1f, 1_000, 1e3, true, \'\'\'raw\\n\'\'\']\n"q r".s = {t = "\\u00e9"}\n',
      ),
    ).toEqual({
      a: { b: 1 },
      x: [{ y: ' twolines' }, { z: [31, 1000, 1000, true, 'raw\\n'], 'q r': { s: { t: 'é' } } }],
    });
    expect(read('when = 2024-05-01T10:00:00Z\n')).toEqual({ when: new Date('2024-05-01T10:00:00Z') });
  });

  it.each([
    ['a = 1\nb = = 2\n', '2:5'],
    ['[a]\n[a]\n', '2:2'],
    ['a = 1\r\nb = "x\r\n', '2:7'],
    ['a = 12345678901234567890\n', '1:5'],
    ['a = 01\n', '1:5'],
    ['[a\n', '1:3'],
  ])('%j tells the place', (text, place) => {
    expect(problem(text)).toMatch(new RegExp(`^${place} [a-z]`));
  });

  it('tells nothing of what stands there', () => {
    for (const text of [
      'password = "hunter2\n',
      'password = hunter2\n',
      'hunter2\n',
      '[hunter2\n',
      'a = 1hunter2\n',
      'a = "\\hunter2"\n',
      'a = hunter2 = 1',
      'hunter2 = 1\nhunter2 = 2\n',
      'a = 2024-hunter2\n',
      'a = {hunter2',
      'a = 0xhunter2',
      '"hunter2" "x"',
    ]) {
      expect(problem(text)).not.toMatch(/hunter|none/);
    }
  });

  it('refuses keys that every object has, and tables in tables without end', () => {
    expect(problem('__proto__ = 1\n')).toMatch(/^1:\d+ /);
    expect(problem('[a.__proto__]\nb = 1\n')).toMatch(/^1:\d+ /);
    expect(problem(`a = ${'['.repeat(500)}${']'.repeat(500)}\n`)).toMatch(/^1:\d+ /);
    expect(problem(`a = ${'['.repeat(200_000)}`)).toMatch(/^1:\d+ /);
  });
});

/** Python's own reader: what it makes of each text, as JSON; null where it refuses one. */
function python(texts: readonly string[]): readonly unknown[] {
  const program = `import json, sys, tomllib
def one(text):
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
print(json.dumps([one(text) for text in json.load(sys.stdin)]))`;
  return JSON.parse(
    execFileSync('python3', ['-c', program], {
      input: JSON.stringify(texts),
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    }),
  ) as readonly unknown[];
}

describe.skipIf(lacks('python3'))('beside the reader of Python', () => {
  let seed = 42;
  const random = (below: number): number => (
    (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31),
    Math.floor((seed / 2 ** 31) * below)
  );
  const letters = [...'ab -_."\'\\\n\t\u00e9\u4e2d\u{1f600}#=[]{}'];
  const word = (): string => Array.from({ length: random(6) }, () => letters[random(letters.length)] ?? '').join('');
  const value = (depth: number): unknown => {
    const kind = random(depth > 3 ? 4 : 6);
    if (kind === 0) return random(2) === 0;
    if (kind === 1) return random(2 ** 30) - 2 ** 29;
    if (kind === 2) return (random(2 ** 30) + 0.5) / 2 ** random(20);
    if (kind === 3) return word();
    if (kind === 4) return Array.from({ length: random(4) }, () => value(depth + 1));
    return table(depth + 1);
  };
  const table = (depth: number): Record<string, unknown> =>
    Object.fromEntries(Array.from({ length: random(5) }, (_, index) => [`${word()}${index}`, value(depth)]));
  const texts = Array.from({ length: 300 }, () => stringify(table(0)));

  it('the same is read', () => {
    expect(texts.map(read)).toEqual(python(texts));
  });

  it('the same is refused', () => {
    const broken = texts.flatMap((text) =>
      Array.from({ length: 5 }, () => {
        const at = random(text.length + 1);
        return `${text.slice(0, at)}${['"', '[', ']', '=', '\n', '#', '.', ',', "'", '0'][random(10)] ?? ''}${text.slice(at + random(2))}`;
      }),
    );
    const theirs = python(broken);
    // Python knows whole numbers of any size.
    const isRefused = (text: string): boolean => !/none|losslessly/.test(problem(text));
    const differing = broken.filter((text, index) => isRefused(text) !== (theirs[index] === null));
    expect(differing).toEqual([]);
  });
});
