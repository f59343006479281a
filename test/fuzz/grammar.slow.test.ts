import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readDocument } from '#grammar/document/read.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';

import { mutated } from '../grammar/arbitraries.ts';
import { languages } from '../grammar/languages.ts';
import { documentSeeds, languageSeeds } from './seeds.ts';

/** Time (ms) that one small input may take on a machine that does other things too. */
const MOST_MS = 2_000;
const MOST_GROWTH = 512 * 1024 * 1024;

let before = 0;
beforeAll(() => {
  before = process.memoryUsage().rss;
});
afterAll(() => {
  expect(process.memoryUsage().rss - before).toBeLessThan(MOST_GROWTH);
});

describe('no mutated input crashes, hangs or goes without a word', () => {
  it.each(['json', 'yaml'] as const)(
    '%s: 3,000 texts',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(mutated(await documentSeeds(format)), async (input) => holds(input, format)),
        { numRuns: 3_000 },
      );
    },
    300_000,
  );

  it.each(['json', 'yaml'] as const)(
    '%s: 500 damaged byte sequences',
    async (format) => {
      const damage = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat(255) });
      await fc.assert(
        fc.asyncProperty(
          await documentSeeds(format),
          fc.array(damage, { minLength: 1, maxLength: 3 }),
          fc.boolean(),
          async (input, damages, isCut) => {
            const bytes = new TextEncoder().encode(input);
            for (const { at, byte } of damages) bytes[Math.floor(at * bytes.length)] = byte;
            await holds(isCut ? bytes.subarray(0, Math.floor((damages[0]?.at ?? 0) * bytes.length)) : bytes, format);
          },
        ),
        { numRuns: 500 },
      );
    },
    300_000,
  );

  it.each(languages.map(({ name }) => name))(
    '%s: 500 texts',
    async (name) => {
      const language = languages.find((one) => one.name === name);
      fc.assert(
        fc.property(mutated(mutated(await languageSeeds(name))), (input) => {
          const started = performance.now();
          const { tree, problems } = language?.parse(input) ?? { problems: [] };
          expect(tree !== undefined || problems.length > 0).toBe(true);
          expect(performance.now() - started).toBeLessThan(MOST_MS);
        }),
        { numRuns: 500 },
      );
    },
    300_000,
  );
});

async function holds(input: Uint8Array | string, format: 'json' | 'yaml'): Promise<void> {
  const started = performance.now();
  const { document, text, diagnostics } = await readDocument(input, { source: `fuzz.${format}` });
  if (document === undefined) expect(diagnostics.length).toBeGreaterThan(0);
  for (const diagnostic of diagnostics) hasPlace(diagnostic, text);
  if (document !== undefined) {
    // Places can be asked for whatever was found.
    for (let offset = 0; offset <= text.length; offset += Math.max(1, text.length >> 3))
      document.spanAt(document.routeAt(offset));
    document.comments();
  }
  expect(performance.now() - started).toBeLessThan(MOST_MS);
}

function hasPlace({ primary, related, code }: Diagnostic, text: string): void {
  for (const { part } of [primary, ...related]) {
    if (typeof part !== 'object' || !('text' in part)) throw new Error(`${code} has no place in the text.`);
    expect(part.text.start).toBeGreaterThanOrEqual(0);
    expect(part.text.end).toBeGreaterThanOrEqual(part.text.start);
    expect(part.text.end).toBeLessThanOrEqual(text.length);
  }
}
