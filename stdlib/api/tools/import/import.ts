import { CommandLineError } from '#grammar/curl/ast.ts';
import { importCurl } from '#grammar/import/curl.ts';
import { importHar } from '#grammar/import/har.ts';
import type { ImportedAction } from '#grammar/import/request.ts';
import type { Base } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { commandRaising } from '#stdlib/command.ts';

import { parseJson } from '#stdlib/http/parse-json.ts';

const command = commandRaising('APITesterException');

export const AT_curl_to_action = command('AT_curl_to_action', async ({ curl_command: text }, ctx) => {
  const imported = await importCurl(text);
  if (imported instanceof CommandLineError)
    throw fail.curlUnreadable({ reason: imported.reason, position: imported.at + 1 });
  tell([imported], ctx);
  return imported.action;
});

export const AT_convert_har = command('AT_convert_har', async ({ file_path: path }, ctx) => {
  if (!(await ctx.files.find(path))) throw fail.harFileUnreadable({ path, reason: 'there is no such file' });
  const parsed = parseJson(new TextDecoder().decode(await ctx.files.read(path)));
  if ('error' in parsed) throw fail.harFileUnreadable({ path, reason: parsed.error });
  const imported = importHar(parsed.json);
  tell(imported, ctx);
  return imported.map(({ action }) => action);
});

/** Shows what was not carried over, and which environment keys have to be set. */
function tell(imported: readonly ImportedAction[], ctx: Base): void {
  const lines = imported.flatMap(({ action: [, { http_method: method, test_url: url }], lost, secrets }) => [
    ...lost.map((text) => `${method.toUpperCase()} ${url}: ${text}`),
    ...secrets.map((key) => `${method.toUpperCase()} ${url}: set ${key} in the environment`),
  ]);
  if (lines.length > 0)
    ctx.attach({ kind: 'text', name: 'what was not carried over', text: [...new Set(lines)].join('\n') });
}
