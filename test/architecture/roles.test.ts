import { describe, expect, it } from 'vitest';

import { families } from '#schemas/generated/catalogue.ts';

const commands = (await Promise.all(families.map(({ load }) => load()))).flat();
const parameters = commands.flatMap((command) => command.params.map((parameter) => ({ command, parameter })));
const label = ({ command, parameter }: (typeof parameters)[number]): string => `${command.name}.${parameter.name}`;

/** Names that sound like a path and are none: keys, encodings, endings, names and ids on the other side. */
const noPaths =
  /_encoding$|_extension$|^default_search_file_extension$|^key_paths?$|^file_id$|folder_id$|^target_name$|^(AT_write_contract\.base_path|WR_classify_failure\.file_path|WR_ledger_record_run\.file_path|WR_write_pom_to_file\.source|FA_read_zip_file\.file_name|FA_drive_\w+\.(file_name|folder_name)|FA_(safe_join|is_within)\.user_path)$/;

/** Descriptions of what stands on this machine. */
const saysLocal =
  /\b(paths? of a|paths? to|files? to join|file of the (earlier|later)|configuration file|socket that|pem file|extensions to install)\b/i;

/** Parameters described so that are none: paths of requests and values, names of a ledger, compared texts. */
const saysOther =
  /^(AT_(diff_payloads\.ignore_paths|mock_\w+\.\w+|\w+\.files)|WR_(classify_failure|ledger_record_run)\.file_path|WR_(skip_dependents_of_failed|topological_order)\.graph|WR_explicit_wait\.method|FA_is_within\.user_path)$/;

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

  it('are declared for what is described as a file, a folder or a socket', () => {
    const silent = parameters.filter(
      ({ parameter: { role, language, list, about, schema } }) =>
        role === undefined &&
        language === undefined &&
        list === undefined &&
        saysLocal.test(about) &&
        JSON.stringify(schema).includes('"string"'),
    );
    expect(silent.map(label).filter((name) => !saysOther.test(name))).toEqual([]);
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
