import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { findSecrets, mayHoldSecretIn } from '#grammar/secret/find-secrets.ts';
import { secretPreview } from '#grammar/secret/secret-preview.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const ALNUM = `${LOWER}${LOWER.toUpperCase()}0123456789`;
const HEX = '0123456789abcdef';

/** The same numbers each time: a test that fails can be repeated. */
function draws(seed: number): (letters: string, count: number) => string {
  let state = seed;
  const next = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  return (letters, count) => Array.from({ length: count }, () => letters[Math.floor(next() * letters.length)]).join('');
}

type Draw = ReturnType<typeof draws>;

/** Secrets as services give them out, and the places in which people leave them. */
const kinds: readonly ((draw: Draw) => string)[] = [
  (draw) => `AKIA${draw(`${LOWER.toUpperCase()}0123456789`, 16)}`,
  (draw) => `ASIA${draw(`${LOWER.toUpperCase()}0123456789`, 16)}`,
  (draw) => `ghp_${draw(ALNUM, 36)}`,
  (draw) => `gho_${draw(ALNUM, 36)}`,
  (draw) => `ghs_${draw(ALNUM, 36)}`,
  (draw) => `github_pat_${draw(ALNUM, 22)}_${draw(ALNUM, 59)}`,
  (draw) => `glpat-${draw(ALNUM, 20)}`,
  (draw) => `xoxb-${draw('0123456789', 12)}-${draw(ALNUM, 24)}`,
  (draw) => `https://hooks.slack.com/services/T${draw(ALNUM, 8)}/B${draw(ALNUM, 8)}/${draw(ALNUM, 24)}`,
  (draw) => `AIza${draw(ALNUM, 35)}`,
  (draw) => `sk_live_${draw(ALNUM, 24)}`,
  (draw) => `whsec_${draw(ALNUM, 32)}`,
  (draw) => `npm_${draw(ALNUM, 36)}`,
  (draw) => `SG.${draw(ALNUM, 22)}.${draw(ALNUM, 43)}`,
  (draw) => `hf_${draw(LOWER, 34)}`,
  (draw) => `sk-ant-${draw(ALNUM, 40)}`,
  (draw) => `dop_v1_${draw(HEX, 64)}`,
  (draw) => `hvs.${draw(ALNUM, 28)}`,
  (draw) => `shpat_${draw(HEX, 32)}`,
  (draw) => `eyJhbGciOiJIUzI1NiJ9.eyJ${draw(ALNUM, 30)}.${draw(ALNUM, 43)}`,
  (draw) => `-----BEGIN EC PRIVATE KEY-----\n${draw(ALNUM, 64)}\n-----END EC PRIVATE KEY-----`,
  (draw) => `postgres://app:${draw(ALNUM, 16)}@db.example/orders`,
  (draw) => `Authorization: Bearer ${draw(ALNUM, 40)}`,
  (draw) => `client_secret=${draw(ALNUM, 32)}`,
  (draw) => `export API_KEY="${draw(ALNUM, 32)}"`,
];

const places: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `curl -H "X-Key: ${secret}" https://api.example/orders`,
  (secret) => `# leave this here for now\nvalue: ${secret}\nnext: line\n`,
  (secret) => `{"note": "${secret}"}`,
];

describe('secrets in texts', () => {
  it('are found: 500 of them, at least 95 of 100', () => {
    const draw = draws(7);
    const corpus = Array.from({ length: 500 }, (_, index) => {
      const make = kinds[index % kinds.length];
      const place = places[Math.floor(index / kinds.length) % places.length];
      return place?.(make?.(draw) ?? '') ?? '';
    });
    const missed = corpus.filter((text) => findSecrets(text).length === 0);
    expect(missed.length, missed.slice(0, 20).join('\n')).toBeLessThanOrEqual(25);
  });

  it('under telling keys are found: 500 of them, at least 95 of 100', () => {
    const draw = draws(11);
    const keys = ['password', 'api_key', 'accessToken', 'client-secret', 'db.credentials'];
    const missed = Array.from({ length: 500 }, (_, index) => {
      const key = keys[index % keys.length] ?? '';
      const value = draw(index % 2 === 0 ? ALNUM : HEX, 32);
      return findSecrets(value, key).length === 0 ? [`${key}: ${value}`] : [];
    }).flat();
    expect(missed.length, missed.slice(0, 20).join('\n')).toBeLessThanOrEqual(25);
  });

  it('are not seen in files without any: less than one of 100 of 2,000 files of installed packages', () => {
    const files = harmlessFiles(2000);
    expect(files).toHaveLength(2000);
    const alarms = files.filter((file) => findSecrets(readFileSync(file, 'utf8')).length > 0);
    expect(alarms.length, alarms.join('\n')).toBeLessThan(20);
  });
});

/** Sources, data and texts that packages bring along, in an order that does not change. */
function harmlessFiles(count: number): readonly string[] {
  const found: string[] = [];
  const root = join(import.meta.dirname, '../../../node_modules');
  const waiting = [root];
  for (let folder = waiting.shift(); folder && found.length < count; folder = waiting.shift()) {
    for (const entry of readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else if (/\.(?:md|json|ts|js|mjs|cjs|ya?ml|txt)$/.test(entry.name) && statSync(path).size < 200_000)
        found.push(path);
      if (found.length === count) break;
    }
  }
  return found;
}

describe('a text under a key', () => {
  it.each([
    ['Hunter2!', 'password', 'password_literal'],
    ['changeme', 'db_password', 'password_literal'],
    ['a correct horse battery staple', 'password', 'password_literal'],
    ['Winter$NOW', 'password', 'password_literal'],
    ['Enter your password', 'password', undefined],
    ['At least 8 characters', 'new_password', undefined],
    ['$SHOP_PASSWORD', 'password', undefined],
    ['${ENV.PASSWORD}', 'password', undefined],
    ['{{password}}', 'password', undefined],
    ['<your password>', 'password', undefined],
    ['********', 'password', undefined],
    ['#login-password', 'password_field', undefined],
    ['https://id.example/oauth/token', 'token_url', undefined],
    ['Bearer', 'token_type', undefined],
    ['csrf-token', 'token_name', undefined],
    ['csrf-token-of-the-first-page', 'token', undefined],
    ['Zx81kLm02QpR77sTuVw9', 'token', 'suspicious_key_high_entropy'],
    ['Zx81kLm02QpR77sTuVw9', 'article', undefined],
    ['9f86d081884c7d659a2feaa0c55ad015', 'checksum', undefined],
    ['9f86d081884c7d659a2feaa0c55ad015', 'secret', 'suspicious_key_high_entropy'],
  ])('%j under %s: %s', (text, key, rule) => {
    expect(findSecrets(text, key)[0]?.rule).toBe(rule);
  });
});

describe('a finding', () => {
  it('has the place of the secret alone', () => {
    const text = 'login with password=Zx81kLm02QpR77sTuVw9 please';
    const [found] = findSecrets(text);
    expect(text.slice(found?.start, found?.end)).toBe('Zx81kLm02QpR77sTuVw9');
  });

  it('is shown by a few characters at most', () => {
    expect(secretPreview('Hunter2!')).toBe('… (8 characters)');
    expect(secretPreview(`ghp_${'a'.repeat(36)}`)).toBe('ghp_… (40 characters)');
  });

  it('comes once for a secret, in time that grows with the text', () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    expect(findSecrets(`token=${token}`)).toHaveLength(1);
    expect(findSecrets(`token=${token} `.repeat(20_000))).toHaveLength(20_000);
    expect(findSecrets('password'.repeat(100_000))).toEqual([]);
    expect(findSecrets('-----BEGIN PRIVATE KEY-----'.repeat(20_000))).toHaveLength(1);
  });
});

it('a file without a word of secrets has texts with a run of signs alone', () => {
  const wordless = mayHoldSecretIn('{"id": "AKIAIOSFODNN7EXAMPLE", "note": "nothing to see here"}');
  expect(
    ['AKIAIOSFODNN7EXAMPLE', 'nothing to see here', 'a password: 12345678'].map((text) => wordless?.(text)),
  ).toEqual([true, false, false]);
  // The escape stands for the last letter of the word.
  const escaped = mayHoldSecretIn('{"note": "passwor\\u0064: 12345678"}');
  expect(escaped?.('password: 12345678')).toBe(true);
  for (const sign of ['token', 'hooks.', 'eyJ', 'a@b'])
    expect(mayHoldSecretIn(`a file with ${sign}`)?.('password: 12345678')).toBe(true);
  expect(mayHoldSecretIn('{"note": "nothing to see here"}')).toBeUndefined();
});

it('a file whose runs of signs have no form has no text with a secret', () => {
  expect(mayHoldSecretIn('{"a-name-of-many-signs": ["another_name_of_signs", "0123456789abcdef0"]}')).toBeUndefined();
  const draw = draws(11);
  for (const secret of kinds.map((kind) => kind(draw)))
    for (const file of [`- [a-name-of-many-signs, '${secret}']`, `- name: ${secret}\n`, `{"a": "see (${secret})"}`])
      expect(mayHoldSecretIn(file)?.(secret), file).toBe(true);
});
