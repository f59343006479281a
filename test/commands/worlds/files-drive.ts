import { startGoogleDrive } from '../../fixtures/drives/google.ts';
import { writeGoogleFiles } from '../../fixtures/drives/google-files.ts';
import { writeOut } from '../../fixtures/drives/out.ts';
import type { MakeWorld } from './world.ts';

/**
 * A drive at `${ENV.DRIVE_URL}` with `reports/report.csv`; `token.json` and `credentials.json` are those of its
 * sign-in.
 */
export const world: MakeWorld = async ({ root }) => {
  const served = await startGoogleDrive();
  const mediaType = 'application/vnd.google-apps.folder';
  const folder = served.tree.add('root', 'reports', undefined, { id: 'reports', mediaType });
  const bytes = Buffer.from('name;amount\n');
  served.tree.add(folder.id, 'report.csv', bytes, { id: 'report', mediaType: 'text/csv' });
  await writeOut(root);
  await writeGoogleFiles(root, served.url);
  return {
    env: { DRIVE_URL: served.url },
    settings: { gates: { private: true } },
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
};
