/** Files of a new project, by the way from its folder, sorted. */
export const starterFiles: Readonly<Record<string, string>> = {
  'executor/executor_folder.ts': executor('every action file in `keyword`, by name', "'keyword'"),
  'executor/executor_one_file.ts': executor('one action file', "join('keyword', 'keyword_create.json')"),
  'keyword/keyword_create.json': actions([
    ['FA_create_dir', { dir_path: 'test_dir' }],
    ['FA_create_file', { file_path: 'test.txt', content: 'test' }],
  ]),
  'keyword/keyword_teardown.json': actions([
    ['FA_remove_dir_tree', { dir_path: 'test_dir' }],
    ['FA_remove_file', { file_path: 'test.txt' }],
  ]),
};

function actions(list: readonly (readonly [name: string, params: object])[]): string {
  return `[\n${list.map((action) => `  ${JSON.stringify(action)}`).join(',\n')}\n]\n`;
}

/** A program of its own that works from any folder. */
function executor(what: string, path: string): string {
  return `// Runs ${what}. Start it with Node.js 22.19 or later; \`svc\` must be in the search path.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const project = join(import.meta.dirname, '..');
const { error, status } = spawnSync('svc', ['run', ${path}], { cwd: project, stdio: 'inherit', shell: process.platform === 'win32' });
if (error) console.error(error.message);
process.exitCode = status ?? 1;
`;
}
