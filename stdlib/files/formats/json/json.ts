import * as fail from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

import { readJsonFile, writeJsonFile } from './json-file.ts';
import { deleteAt, setAt } from './edit-at.ts';
import { NOTHING, segmentsOf, valueAt } from '../key-path.ts';
import { plainJson } from './plain-json.ts';

export const FA_json_get = command('FA_json_get', async (params, ctx) => {
  const { path, key_path } = params;
  const found = valueAt(await readJsonFile(ctx.files, path), segmentsOf(key_path));
  return found === NOTHING ? params.default : plainJson(found, path);
});

export const FA_json_set = command('FA_json_set', async ({ path, key_path, value }, ctx) => {
  const segments = segmentsOf(key_path);
  if (segments.length === 0) throw fail.keyPathEmpty({});
  const changed = setAt(await readJsonFile(ctx.files, path), segments, value);
  await writeJsonFile(ctx, path, changed);
  return true as const;
});

export const FA_json_delete = command('FA_json_delete', async ({ path, key_path }, ctx) => {
  const segments = segmentsOf(key_path);
  if (segments.length === 0) throw fail.keyPathEmpty({});
  const value = await readJsonFile(ctx.files, path);
  if (!deleteAt(value, segments)) return false;
  await writeJsonFile(ctx, path, value);
  return true;
});
