import { call } from '#compiler/engine/call.ts';

/**
 * Makes a starter project in `<name>/<parent_name>`; `name` is the current folder when left out. Files that are there
 * stay as they are.
 */
export async function create_project_dir(
  name: string | null = null,
  { parent_name = 'FileAutomation' }: { readonly parent_name?: string } = {},
): Promise<null> {
  await call('FA_create_project', { project_path: name, parent_name });
  return null;
}
