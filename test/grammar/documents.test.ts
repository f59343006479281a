import { describe, expect, it } from 'vitest';

import { readDocument } from '#grammar/document/read.ts';
import { linesOf } from '#grammar/source/lines.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Json } from '#schemas/types/json.ts';

import { casesOf, settle } from './case-file.ts';
import type { Case } from './case-file.ts';
import { speakable } from './speakable.ts';

for (const name of ['json', 'yaml', 'yaml-broken'] as const) {
  const file = new URL(`document/${name}.yaml`, import.meta.url);
  const cases = await casesOf(file);
  describe(`${name} documents`, () => {
    for (const one of cases) it(one.name, async () => settle(file, one, await outcome(one, name)));
  });
}

/** The value, and each finding with its place as people count it, what it marks, and its fixes. */
async function outcome(one: Case, name: string): Promise<Json> {
  const format = name === 'json' ? 'json' : 'yaml';
  const { document, text, diagnostics } = await readDocument(one.input, { source: `case.${format}` });
  const findings = diagnostics.map((diagnostic) => printed(text, diagnostic));
  if (document !== undefined) expect(document.text).toBe(text);
  return {
    ...(document === undefined ? {} : { value: speakable(document.value) }),
    ...(findings.length === 0 ? {} : { findings }),
  };
}

function printed(text: string, { code, slug, message, primary, related, fixes }: Diagnostic): string {
  const lines = linesOf(text);
  const place = ({ part }: Diagnostic['primary']): string => {
    if (typeof part !== 'object' || !('text' in part)) throw new Error('Readers mark ranges of the text.');
    const { line, column } = lines.position(part.text.start);
    return `${line}:${column} ${JSON.stringify(text.slice(part.text.start, part.text.end))}`;
  };
  const mended = fixes.map(({ operations }) =>
    operations.map((operation) => ('text' in operation ? operation.text : operation.kind)).join(),
  );
  return [
    `${code} ${slug} ${place(primary)} ${message}`,
    ...related.map((label) => `related ${place(label)}`),
    ...mended.map((fix) => `fix ${fix}`),
  ].join(' | ');
}
