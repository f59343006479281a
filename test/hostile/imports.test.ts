import { describe, expect, it } from 'vitest';

import { importText, type ImportFormat } from '#grammar/import/detect.ts';

import { processorTime } from './check-text.ts';

const script = (...exec: readonly string[]): string =>
  JSON.stringify({
    info: { name: 'a', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [{ name: 'a', event: [{ listen: 'test', script: { exec } }], request: { method: 'GET', url: 'http://a/' } }],
  });
const get = 'GET http://a/\n';
const post = 'POST http://a/\n';
const bruno = (...blocks: readonly string[]): string => `post {\n  url: http://a/\n}\n${blocks.join('\n')}\n`;

/** Files with a place for something long, which is written as `…`. */
const files = {
  http: [
    `GET http://a/…`,
    `### …\n${get}`,
    `@a = …\n${get}`,
    `@…\n${get}`,
    `# @name …\n${get}`,
    `${get}a: …\n`,
    `${get}Authorization: Basic …\n`,
    `${post}\n< …\n`,
    `GRAPHQL http://a/\n\nquery …\n`,
    `${post}Content-Type: application/x-www-form-urlencoded\n\na=1 …&b=2\n`,
    `${get}\n> {%\nclient.assert(…)\n%}\n`,
  ],
  hurl: [
    `GET …`,
    `${get}a: …\n`,
    `${get}…: b\n`,
    `${post}[Multipart]\na: file,…;\n`,
    `${post}\`\`\`…\n\`\`\`\n`,
    `${post}\`\`\`graphql\n{a}…\n\`\`\`\n`,
    `${get}HTTP 200\n[Asserts]\njsonpath "$.a" == …\n`,
    `${get}HTTP 200\n[Captures]\na: jsonpath "$.a" …\n`,
  ],
  curl: [`curl http://a/ …`, `curl -d "…" http://a/`, `curl -H 'a: …' http://a/`],
  bruno: [
    bruno('body:multipart-form {', '  a: …', '}'),
    bruno('body:file {', '  file: @file(…', '}'),
    bruno('assert {', '  res.status: …', '}'),
    bruno('tests {', '  …', '}'),
  ],
  collection: [
    script('…'),
    script('pm.test("a", function () { …'),
    script('pm.test("a", () => …'),
    script('pm.expect(…).to.eql(1)'),
    script('tests["…'),
  ],
} satisfies Partial<Record<ImportFormat, readonly string[]>>;

const pieces = [
  ' ',
  '\t',
  '\r',
  '""/\\/',
  '/',
  ' #',
  ':',
  '&',
  '(',
  '{{',
  '$(',
  '${',
  '@file(',
  '@contentType(',
  ').to.eql(',
];

describe.each(Object.entries(files) as [ImportFormat, readonly string[]][])(
  'a long text in a file of %s',
  (format, all) => {
    it.each(all)('is read in time with its length: %s', async (file) => {
      const time = (piece: string, length: number): Promise<number> => {
        const long = `${piece.repeat(length / piece.length)}x`;
        const text = file.replace('…', () => (format === 'collection' ? JSON.stringify(long).slice(1, -1) : long));
        // A text that is no request is refused, which may take no longer.
        return processorTime(() => importText(format, text, { name: 'a' }).catch(() => undefined));
      };
      for (const piece of pieces) {
        const least = await time(piece, 16_000);
        expect(await time(piece, 64_000), JSON.stringify(piece)).toBeLessThan(8 * least + 300);
      }
    });
  },
);
