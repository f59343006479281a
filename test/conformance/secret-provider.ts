import { describe, expect, it } from 'vitest';

import type { SecretProvider } from '#runtime/services/secret-providers/port.ts';

/** A provider that knows exactly these secrets. */
export type OpenProvider = (secrets: Readonly<Record<string, string>>) => Promise<SecretProvider>;

/** Suite that every secret provider must pass, whatever it asks. */
export function secretProviderConformance(name: string, scheme: string, open: OpenProvider): void {
  describe(`${name} is a secret provider`, () => {
    it('has the word of its references', async () => {
      expect((await open({})).scheme).toBe(scheme);
    });

    it('gives what it knows, as it is, also when it is empty', async () => {
      const secrets = { PLAIN: 'value', EMPTY: '', BLANKS: ' a b ', TEXT: 'ä€😀 "\'\\ ${env:PLAIN}', lower_case: '1' };
      const provider = await open(secrets);
      for (const [key, value] of Object.entries(secrets)) expect(await provider.get(key)).toBe(value);
    });

    it('gives null for what it does not know: no failure, and nothing that every object has', async () => {
      const provider = await open({ KNOWN: 'x' });
      for (const key of [
        'UNKNOWN',
        'known',
        'KNOWN ',
        '',
        '__proto__',
        'constructor',
        'toString',
        'a/b',
        '../KNOWN',
        './',
        'a\0b',
        'x'.repeat(5000),
      ])
        expect(await provider.get(key)).toBeNull();
    });

    it('answers many at once', async () => {
      const secrets = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`KEY_${index}`, `value ${index}`]));
      const provider = await open(secrets);
      expect(await Promise.all(Object.keys(secrets).map((key) => provider.get(key)))).toEqual(Object.values(secrets));
    });
  });
}
