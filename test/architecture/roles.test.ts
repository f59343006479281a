import { describe, expect, it } from 'vitest';

import { families } from '#schemas/generated/catalogue.ts';

const commands = (await Promise.all(families.map(({ load }) => load()))).flat();
const parameters = commands.flatMap((command) => command.params.map((parameter) => ({ command, parameter })));
const label = ({ command, parameter }: (typeof parameters)[number]): string => `${command.name}.${parameter.name}`;

/** Names that sound like a path and are none: keys, encodings, endings, names and ids on the other side. */
const noPaths =
  /_encoding$|_extension$|^default_search_file_extension$|^key_paths?$|^file_id$|folder_id$|^target_name$|^(AT_write_contract\.base_path|WR_classify_failure\.file_path|WR_ledger_record_run\.file_path|WR_write_pom_to_file\.source|FA_read_zip_file\.file_name|FA_drive_\w+\.(file_name|folder_name)|FA_(safe_join|is_within)\.user_path)$/;

describe('roles of parameters', () => {
  it('are declared for what sounds like a path in commands that touch files', () => {
    const silent = parameters.filter(
      ({ command: { effects }, parameter: { name, role, language, schema } }) =>
        role === undefined &&
        language === undefined &&
        effects.some((effect) => effect === 'fs-read' || effect === 'fs-write') &&
        /(^|_)(path|paths|file|dir|folder|root|source|target|src|dst|zip)(_|$)/.test(name) &&
        JSON.stringify(schema).includes('"string"'),
    );
    expect(
      silent
        .map((each) => label(each))
        .filter((name) => !noPaths.test(name) && !noPaths.test(name.split('.')[1] ?? '')),
    ).toEqual([]);
  });

  it('say what is done with a local path, and with nothing else', () => {
    const odd = parameters.filter(
      ({ parameter: { role, access } }) => (role === 'local-path') !== (access !== undefined),
    );
    expect(odd.map(label)).toEqual([]);
    expect(parameters.filter(({ parameter }) => parameter.role === 'local-path').length).toBeGreaterThan(200);
  });

  it('agree with the effects of their commands', () => {
    const odd = parameters.filter(({ command: { effects }, parameter: { access = [] } }) => {
      const writes = access.includes('write') || access.includes('delete');
      return writes && !effects.some((effect) => ['fs-write', 'db', 'process', 'browser'].includes(effect));
    });
    expect(odd.map(label)).toEqual([]);
  });
});
