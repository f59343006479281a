import { startDropbox } from '../../fixtures/drives/dropbox.ts';
import { writeOut } from '../../fixtures/drives/out.ts';
import type { MakeWorld } from './world.ts';

/** A file-sync service at `${ENV.SYNC_URL}` that holds `in/report.csv`. */
export const world: MakeWorld = async ({ root }) => {
  const served = await startDropbox();
  const folder = served.tree.add(served.tree.root.id, 'in');
  served.tree.add(folder.id, 'report.csv', Buffer.from('name;amount\n'));
  await writeOut(root);
  return {
    env: { SYNC_URL: served.url },
    settings: { gates: { private: true } },
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
};
