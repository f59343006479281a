import { startBox } from '../../fixtures/drives/box.ts';
import { writeOut } from '../../fixtures/drives/out.ts';
import type { MakeWorld } from './world.ts';

/** A drive at `${ENV.DRIVE_URL}` that holds `in/report.csv`; by id, these are `in` and `report`. */
export const world: MakeWorld = async ({ root }) => {
  const served = await startBox();
  const folder = served.tree.add(served.tree.root.id, 'in', undefined, { id: 'in' });
  served.tree.add(folder.id, 'report.csv', Buffer.from('name;amount\n'), { id: 'report' });
  await writeOut(root);
  return {
    env: { DRIVE_URL: served.url },
    settings: { gates: { private: true } },
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
};
