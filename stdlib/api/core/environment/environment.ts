import { basename, extname } from 'node:path';

import { inText } from '#runtime/kernel/values/convert.ts';
import type { Json } from '#schemas/types/json.ts';
import { isSecretKey } from '#schemas/types/secret-key.ts';
import { command } from '#stdlib/command.ts';

import { readProfile } from './read-profile.ts';

export const AT_load_env_profile = command('AT_load_env_profile', async ({ file_path: path, store }, ctx) => {
  const profile = await readProfile(path, ctx);
  for (const [name, value] of Object.entries(profile)) {
    if (isSecretKey(name)) maskTexts(value, (text) => ctx.mask(text));
    if (!store) ctx.variables.set(name, value, { secret: isSecretKey(name) });
  }
  return {
    name: basename(path, extname(path)),
    values: Object.fromEntries(Object.entries(profile).map(([name, value]) => [name, inText(value)])),
    source: path,
    ...(store ? { store: { ...store, ...profile } } : {}),
  };
});

function maskTexts(value: Json, mask: (text: string) => void): void {
  if (typeof value === 'string') mask(value);
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) maskTexts(part as Json, mask);
}
