import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { dump } from 'js-yaml';
import { describe, expect, it } from 'vitest';

import { formatDocument } from '#grammar/document/format/format.ts';
import { printJson, printYaml } from '#grammar/document/print.ts';
import { readDocument } from '#grammar/document/read.ts';
import type { TextDocument } from '#grammar/document/text-document.ts';

import { processorTime } from '../hostile/check-text.ts';
import { tree } from './arbitraries.ts';
import { casesOf } from './case-file.ts';

const root = join(import.meta.dirname, '../..');

async function read(text: string, source: string): Promise<TextDocument | undefined> {
  const { document, diagnostics } = await readDocument(text, { source });
  return diagnostics.length > 0 ? undefined : document;
}

/** Lays a text out twice. That values and comments stay, the formatter makes sure itself. */
async function settled(text: string, source: string, width?: number): Promise<string | undefined> {
  const document = await read(text, source);
  if (document === undefined) return undefined;
  const once = await formatDocument(document, width);
  const after = await read(once, source);
  if (after === undefined) throw new Error(`${source} cannot be read any more`);
  expect(await formatDocument(after, width), source).toBe(once);
  expect(after.value).toEqual(document.value);
  expect(Object.keys(after.value ?? {})).toEqual(Object.keys(document.value ?? {}));
  expect(after.comments().map((comment) => comment.text)).toEqual(document.comments().map((comment) => comment.text));
  return once;
}

describe('the layout of', () => {
  it('every YAML and JSON file of the repository is stable', async () => {
    const files = execFileSync('git', ['ls-files', '*.yaml', '*.yml', 'examples/*.json', 'test/**/*.json'], {
      cwd: root,
    });
    let count = 0;
    for (const file of files.toString().split('\n')) {
      if (file === '' || file.includes('"') || /package|several-files/.test(file)) continue;
      const text = readFileSync(join(root, file), 'utf8');
      for (const width of [120, 40]) if ((await settled(text, file, width)) !== undefined) count += 1;
    }
    expect(count).toBeGreaterThan(1000);
  });

  it.each(['anchors', 'block-collections', 'comments', 'documents'])('the corpus of %s is stable', async (name) => {
    const cases = await casesOf(new URL(`yaml-corpus/${name}.yaml`, import.meta.url));
    for (const { input } of cases) for (const width of [120, 5]) await settled(input, 'case.yaml', width);
  });

  const layouts = [
    (value: unknown) => dump(value, { lineWidth: 30 }),
    (value: unknown) => dump(value, { flowLevel: 1 }),
    (value: unknown) => commented(dump(value, { lineWidth: -1 })),
    (value: unknown) => commented(dump(value, { flowLevel: 2, lineWidth: -1 })).replaceAll('\n', '\r\n'),
    (value: unknown) => `# first\n--- # mark\n${dump(value)}# last`,
    (value: unknown) => `${printYaml(value as never)}`,
  ];
  it('any value is stable', () =>
    fc.assert(
      fc.asyncProperty(tree, fc.constantFrom(...layouts), fc.constantFrom(1, 20, 120), async (value, layout, width) => {
        await settled(layout(value), 'any.yaml', width);
        await settled(printJson(value, width % 7), 'any.json', width);
      }),
      { numRuns: 500 },
    ));

  it('a comment behind a key without a value is stable, whatever stands before that key', async () => {
    const text = 'a:\n  - - c\n    - d\ne:\n  - g:\n    # two\n# three\n';
    expect(await settled(text, 'comment.yaml')).toBe(text);
  });

  it.each([
    ['a: |\n  b', 'a: |\n  b\n'],
    ['- >\n  b\n  ', '- >\n  b\n'],
    ['- |-\n  b', '- |-\n  b\n'],
    ['- |+\n  b', '- |+\n  b\n'],
    ['- |+\n  b\n\n', '- |+\n  b\n\n'],
    ['a: |\n  b\n# end', 'a: |\n  b\n# end\n'],
  ])('a block text at the end of a file gets the line break that is missing there: %j', async (text, expected) => {
    expect(await settled(text, 'block.yaml')).toBe(expected);
  });

  it('a tag that is all of a key is stable as the key of an empty text', async () => {
    expect(await settled('- !!str : d\n- { !!str : e, a: 1 }\n', 'tag.yaml')).toBe('- "": d\n- { "": e, a: 1 }\n');
  });

  it('texts with pieces taken out, doubled and moved is stable where they can be read', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...samples),
        fc.array(fc.record({ at: fc.nat(), length: fc.nat({ max: 12 }), to: fc.nat() }), {
          minLength: 1,
          maxLength: 4,
        }),
        async (sample, moves) => {
          let text = sample;
          for (const { at, length, to } of moves) {
            const piece = text.slice(at % text.length, (at % text.length) + length);
            const place = to % (text.length + 1);
            text = text.slice(0, place) + piece + text.slice(place);
          }
          await settled(text, 'moved.yaml', 60);
        },
      ),
      { numRuns: 2000 },
    ));
});

describe('a line of signs', () => {
  it.each(['! ', '&a ', '- ', '? ', ': ', '"'])('is laid out in time with its length: %s', async (piece) => {
    const time = async (length: number): Promise<number> => {
      const text = `a: [{ ${JSON.stringify(piece.repeat(length / piece.length))}: 1 }, b]\n`;
      const { document } = await readDocument(text, { source: 'a.yaml' });
      if (!document) throw new Error('the text cannot be read');
      return processorTime(() => formatDocument(document));
    };
    expect(await time(200_000)).toBeLessThan(16 * (await time(25_000)) + 500);
  });
});

const samples = [
  'a: # one\n  # two\n  - { b: 1, c: [x, y] } # three\n\n  # four\n  - &d [e, "f"] # five\n  # six\n# seven\ng: *d\n',
  '- WR_x: { a: 1, # one\n    b: 2 } # two\n  # three\n  id: c\n- [N, {k: v}, # four\n   {o: p}]\n',
  '- |2 # one\n    a\n   b\n\n- >-\n  c\n  d\n# two\n- k: |+\n    e\n\n  l: "f\n    g"\n- plain\n  text # three\n',
  '%YAML 1.2\n# one\n---\n? a\n: - b\n  - - c\n    - !!str d\n? "e"\n: [f: 1, {g: }]\n...\n# two\n',
];

/** A comment above each line that begins an entry; block texts keep their lines. */
function commented(text: string): string {
  let block = -1;
  return text
    .split('\n')
    .map((line, index) => {
      const indent = /^ */.exec(line)?.[0].length ?? 0;
      if (block >= 0 && (line.trim() === '' || indent > block)) return line;
      block = /(?:^|[ -:])[|>][-+0-9]*$/.test(line) ? indent : -1;
      return line.trim() === '' || !/^ *(?:- |[a-z_"']+.*:)/.test(line) || /["'][^"']*$/.test(line)
        ? line
        : `${' '.repeat(indent)}# above ${index}\n${line}${/[|>][-+0-9]*$/.test(line) ? '' : ' # behind'}`;
    })
    .join('\n');
}
