import { expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';

import { session } from '../../session.ts';
import { openPlace } from '../call-here.ts';

it('FA_secret_check tells what resolves, and never a value', async () => {
  await using place = await openPlace();
  await place.make({ 'secrets/password': 'open sesame', 'secrets/large': 'x'.repeat(64 * 1024 + 1) });
  const host = { ...nodeHost(), env: { TOKEN_FOR_TEST: 'very secret' } };
  await using unit = await session({ host });
  const result = await unit.call('FA_secret_check', {
    references: ['${file:password}', '${env:TOKEN_FOR_TEST}', '${file:large}', '${env:NONE}'],
    file_root: place.path('secrets'),
  });
  expect(result).toEqual({
    resolved: ['${file:password}', '${env:TOKEN_FOR_TEST}'],
    missing: ['${file:large}', '${env:NONE}'],
  });
  expect(await unit.call('FA_secret_check', { references: ['${file:password}'] })).toEqual({
    resolved: [],
    missing: ['${file:password}'],
  });
  expect(unit.work.run.masker.text('it is open sesame and very secret')).toBe('it is *** and ***');
});
