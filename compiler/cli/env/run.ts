import { relative } from 'node:path';

import { prepareReferences } from '#grammar/reference/parse.ts';
import {
  checkEnvironments,
  foldersWithProfiles,
  UNNAMED,
  type EnvironmentFinding,
} from '#compiler/engine/environments/environments.ts';
import { addAll } from '#grammar/source/add-all.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import { isSecretKey } from '#schemas/types/secret-key.ts';

import { answer } from '../answer.ts';
import { compileFor, openWorkspace, openWorkspaces } from '../workspace.ts';
import { findingsText, profilesText } from './view.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const [action, ...paths] = args.positional;
  return action === 'list' ? list(args, terminal) : check(paths, args, terminal);
}

async function list(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const workspace = await openWorkspace(args, terminal);
  const folders = (await foldersWithProfiles(workspace)).map((each) => ({
    ...each,
    shown: relative(workspace.root, each.folder) || '.',
  }));
  const data = folders.flatMap(({ shown: folder, profiles }) =>
    profiles.map(({ name = UNNAMED, files, keys }) => ({
      folder,
      name,
      files,
      keys: [...keys].map(([key, { file, line }]) => ({ key, file, line, secret: isSecretKey(key) })),
    })),
  );
  answer(data, () => profilesText(folders), args, terminal);
  return 0;
}

async function check(paths: readonly string[], args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const isWhole = paths.length === 0;
  const positional = isWhole ? [(await openWorkspace(args, terminal)).root] : paths;
  const workspaces = await openWorkspaces({ ...args, positional }, terminal);
  const findings: EnvironmentFinding[] = [];
  let files = 0;
  for (const workspace of workspaces) {
    const compilation = await compileFor('check', workspace);
    // Of broken references others speak; those beside them are read.
    await prepareReferences(compilation.files.map(({ text }) => text));
    addAll(findings, await checkEnvironments(compilation, workspace, isWhole));
    files += compilation.files.length;
  }
  answer({ findings, files }, () => findingsText(findings, files), args, terminal);
  return findings.some(({ kind }) => kind === 'lacking') ? 1 : 0;
}
