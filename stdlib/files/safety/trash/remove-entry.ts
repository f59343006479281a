import { join } from 'node:path';

import { hasCode } from '#stdlib/files/has-code.ts';
import { entryAt } from '#stdlib/files/kind.ts';

import type { Intent } from './intents.ts';
import { removeItem } from './remove-item.ts';
import type { TrashCan, TrashEntry, TrashTools } from './trash-can.ts';

/**
 * Removes an entry for good; false where it had no content. Its content leaves the can whole, as a temporary file,
 * before the first byte of it goes: what a kill leaves of it is no entry that looks as if it could be restored.
 */
export async function removeEntry(
  { files }: TrashTools,
  can: TrashCan,
  intent: Intent,
  { trash_id, path, is_dir }: TrashEntry,
): Promise<boolean> {
  const isThere = (await entryAt(files, path)) !== undefined;
  if (isThere) {
    await intent.about(trash_id);
    const away = files.temporaryBeside(join(can.workshop, 'removed'));
    try {
      await files.rename(path, away);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return false;
      // A folder that may not be changed cannot change its place either; it may be empty.
      await removeItem(files, path, is_dir);
      await can.forget(trash_id);
      return true;
    }
    await removeItem(files, away, is_dir).catch(async (error: unknown) => {
      await files.rename(away, path).catch(() => undefined);
      throw error;
    });
  }
  await can.forget(trash_id);
  return isThere;
}
