import { expect, test } from 'vitest';

import type { Json } from '#schemas/types/json.ts';
import { pageEvidence } from '#stdlib/browser/engines/shared/page-evidence.ts';

const { signal } = new AbortController();
const masked = <Value extends Json>(value: Value): Value => (value === 'typed-secret' ? '***' : value) as Value;

/** Names of what is shown of a page with one field, of which one document cannot be covered. */
async function shown(typed: string): Promise<readonly string[]> {
  const scripts = { evaluate: (): Promise<unknown> => Promise.resolve({ value: [typed] }) };
  const evidence = await pageEvidence(
    {
      scripts,
      documents: async (_, work) => {
        await work(scripts);
        return false;
      },
      picture: () => Promise.resolve(new Uint8Array(1)),
      console: () => Promise.resolve([]),
      place: () => Promise.resolve(['', 'about:blank']),
    },
    signal,
    masked,
  );
  return evidence.map(({ kind }) => kind);
}

test('a page on which a typed secret cannot be covered gives no picture', async () => {
  expect(await shown('typed-secret')).not.toContain('picture');
  expect(await shown('typed in public')).toContain('picture');
});
