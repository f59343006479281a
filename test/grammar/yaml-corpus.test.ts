import { readdirSync } from 'node:fs';

import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';

import { readDocument } from '#grammar/document/read.ts';
import type { Json } from '#schemas/types/json.ts';

import { casesOf, settle } from './case-file.ts';
import type { Case } from './case-file.ts';
import { speakable } from './speakable.ts';

/**
 * Two readers of YAML 1.2 over one corpus: ours agrees with `yaml` on the value, or refuses the document with reasons.
 * A case where `yaml` itself departs from the specification says so under `differs`.
 */
const folder = new URL('yaml-corpus/', import.meta.url);
for (const name of readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .toSorted()) {
  const file = new URL(name, folder);
  const cases = await casesOf(file);
  describe(name, () => {
    for (const one of cases) it(one.name.slice(0, 80), async () => settle(file, one, await outcome(one)));
  });
}

it('holds at least 200 documents', async () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  const cases = await Promise.all(files.map((file) => casesOf(new URL(file, folder))));
  expect(cases.flat().length).toBeGreaterThanOrEqual(200);
  expect(new Set(cases.flat().map(({ input }) => input)).size).toBe(cases.flat().length);
});

async function outcome(one: Case): Promise<Json> {
  const { document, diagnostics } = await readDocument(one.input, { source: 'case.yaml' });
  if (document === undefined || diagnostics.length > 0) {
    expect(diagnostics.length).toBeGreaterThan(0);
    return { refused: [...new Set(diagnostics.map(({ code, slug }) => `${code} ${slug}`))] };
  }
  if (one.given['differs'] === undefined) expect(oracle(one.input)).toEqual({ value: document.value, errors: [] });
  return { value: speakable(document.value) };
}

function oracle(text: string): { readonly value: unknown; readonly errors: readonly string[] } {
  const document = parseDocument(text, { version: '1.2', schema: 'core', prettyErrors: false, logLevel: 'silent' });
  return {
    value: document.errors.length > 0 ? undefined : document.toJS(),
    errors: document.errors.map(({ code, message }) => `${code}: ${message}`),
  };
}
