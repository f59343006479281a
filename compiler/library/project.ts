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

/** The same as a class: `new ProjectBuilder('projects', 'shop').build()`. */
export class ProjectBuilder {
  readonly project_root: string | null;
  readonly parent_name: string;

  constructor(project_root: string | null = null, parent_name = 'FileAutomation') {
    this.project_root = project_root;
    this.parent_name = parent_name;
  }

  /** Makes the project. */
  build(): Promise<null> {
    return create_project_dir(this.project_root, { parent_name: this.parent_name });
  }
}
