import { join } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

import { fillPlaceholders } from '../fill-placeholders.ts';
import { fillTexts } from '../fill-texts.ts';

/** Largest file of environment variables (bytes). */
const LARGEST = 1024 * 1024;

export const WR_expand_env_in_action = command('WR_expand_env_in_action', ({ data }, ctx) => {
  const missing = new Map<string, string>();
  const filled = fillTexts(data as Json, (text) =>
    fillPlaceholders(text, 'ENV', (key, placeholder, hasDefault) => {
      const value = ctx.environment.read(key);
      if (value === undefined && !hasDefault) missing.set(placeholder, key);
      return value;
    }),
  );
  const [[placeholder, key] = [], ...others] = missing;
  if (placeholder === undefined) return filled;
  const more = others.length === 0 ? '' : `, nor is ${others.map(([, name]) => `"${name}"`).join(', ')}`;
  throw fail.placeholderUnfilled({ placeholder, reason: `"${key}" is not set${more}` });
});

export const WR_get_env = command('WR_get_env', (params, ctx) => ctx.environment.read(params.key) ?? params.default);

export const WR_load_env = command('WR_load_env', async ({ env_name, env_dir, override }, ctx) => {
  const path = join(env_dir, env_name ? `.env.${env_name}` : '.env');
  const found = await ctx.files.find(path);
  if (!found) throw fail.fileNotFound({ path });
  if (found.kind === 'directory') throw fail.isAFolder({ path });
  const text = new TextDecoder().decode(await ctx.files.readRegular(path, { limit: LARGEST }));
  ctx.environment.load(ctx.environment.parse(text), { override });
  return path;
});
