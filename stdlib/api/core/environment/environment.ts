import { basename, extname } from 'node:path';

import { inText } from '#runtime/kernel/values/convert.ts';
import { isList, isObject } from '#schemas/types/json.ts';
import type { Json } from '#schemas/types/json.ts';
import { isSecretKey, tellsOfSecret } from '#schemas/types/secret-key.ts';
import { command } from '#stdlib/command.ts';

import { readProfile } from './read-profile.ts';

export const AT_load_env_profile = command('AT_load_env_profile', async ({ file_path: path, store }, ctx) => {
  const profile = await readProfile(path, ctx);
  for (const [name, value] of Object.entries(profile)) {
    maskSecrets(value, isSecretKey(name), (text) => ctx.mask(text));
    if (!store) ctx.variables.set(name, value, { secret: isSecretKey(name) });
  }
  return {
    name: basename(path, extname(path)),
    values: Object.fromEntries(Object.entries(profile).map(([name, value]) => [name, inText(value)])),
    source: path,
    ...(store ? { store: { ...store, ...profile } } : {}),
  };
});

/** Masks all texts under a name that tells of a secret, however deep in an object it stands. */
function maskSecrets(value: Json, isSecret: boolean, mask: (text: string) => void): void {
  if (typeof value === 'string' && isSecret) mask(value);
  else if (isList(value)) for (const item of value) maskSecrets(item, isSecret, mask);
  else if (isObject(value))
    for (const [name, part] of Object.entries(value)) maskSecrets(part ?? null, isSecret || tellsOfSecret(name), mask);
}
