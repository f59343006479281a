import { callIn } from '#compiler/engine/call.ts';
import type { OpenUnit } from '#compiler/engine/unit-session.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { need, one } from '../options.ts';
import { runCommand } from '../one-command/run-command.ts';

export function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const {
    positional: [path = ''],
    options,
  } = args;
  const folder = one(options, 'folder-id');
  for (const name of ['token', 'credentials']) need(one(options, name) !== undefined, 'drive-upload', `--${name} FILE`);
  const login = {
    token_path: one(options, 'token') ?? '',
    credentials_path: one(options, 'credentials') ?? '',
    endpoint_url: one(options, 'endpoint-url') ?? null,
  };
  const first = (unit: OpenUnit): Promise<unknown> => callIn(unit, 'FA_drive_later_init', login);
  const file = { file_path: path, file_name: one(options, 'name') ?? null };
  const lines = ({ id }: { readonly id: string }): readonly string[] => [id];
  return folder === undefined
    ? runCommand('FA_drive_upload_to_drive', file, lines, args, terminal, { first })
    : runCommand('FA_drive_upload_to_folder', { ...file, folder_id: folder }, lines, args, terminal, { first });
}
