import { commandRaising } from '#stdlib/command.ts';

import { findEntry, readTape, recordEntry } from './tape.ts';

const command = commandRaising('APITesterException');

export const AT_cassette_lookup = command('AT_cassette_lookup', async ({ file_path: path, method, url, body }, ctx) => {
  const tape = await readTape(path, ctx);
  return tape[findEntry(tape, { method, url, request_body: body })] ?? {};
});

export const AT_cassette_record = command('AT_cassette_record', async (params, ctx) => {
  const { file_path: path, response_headers: headers, ...exchange } = params;
  await recordEntry(path, { ...exchange, response_headers: headers ?? {} }, ctx);
});
