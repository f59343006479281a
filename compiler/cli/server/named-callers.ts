import { readDocument } from '#grammar/document/read.ts';
import { AccessList } from '#runtime/servers/access-list.ts';
import type { Caller } from '#runtime/servers/callers.ts';
import { powerfulOf } from '#runtime/servers/tools.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';

import { revealed } from '../one-command/revealed.ts';
import { readNamed } from '../read-named.ts';
import type { Workspace } from '../workspace.ts';
import { requireKnown, type Rights } from './access.ts';

const NAME = /^[\w.@-]{1,64}$/;
const KEYS: ReadonlySet<string> = new Set(['secret', 'allowed_actions', 'denied_actions']);

/** Callers that a file names. A command must be allowed for the server and for the caller. */
export async function namedCallers(
  path: string | undefined,
  { commands, access }: Rights,
  workspace: Workspace,
): Promise<readonly Caller[]> {
  if (path === undefined) return [];
  const refuse = (reason: string): never => {
    throw fail.configNotReadable({ path, reason });
  };
  const text = await readNamed(path, { files: workspace.host.files, cwd: workspace.host.cwd });
  const { document, diagnostics } = await readDocument(text, { source: path });
  const mistake = diagnostics.find(({ severity }) => severity === 'error');
  if (mistake) return refuse(mistake.message);
  const given = await revealed(document?.value ?? null, workspace);
  if (!isObject(given) || Object.keys(given).length === 0) return refuse('it holds no callers by name');
  const powerful = powerfulOf(commands);
  const taken = new Set<string>();
  return Object.entries(given).map(([name, about]) => {
    const { secret, allowed, denied } = read(name, about, refuse);
    if (taken.has(secret)) return refuse(`"${name}" has the secret of another caller`);
    taken.add(secret);
    requireKnown([...(allowed ?? []), ...denied], commands);
    return { name, secret, access: new AccessList({ allowed, denied }, powerful, access) };
  });
}

interface Written {
  readonly secret: string;
  readonly allowed: readonly string[] | null;
  readonly denied: readonly string[];
}

/** Reasons name no values: one may be a secret at the wrong place. */
function read(name: string, about: Json, refuse: (reason: string) => never): Written {
  if (!NAME.test(name)) refuse('a caller has a name of letters, digits, "_", ".", "@" and "-", up to 64 of them');
  if (!isObject(about)) return refuse(`"${name}" is no object with a "secret"`);
  if (Object.keys(about).some((key) => !KEYS.has(key))) refuse(`"${name}" may hold ${[...KEYS].join(', ')} alone`);
  const { secret } = about;
  if (typeof secret !== 'string' || secret === '') return refuse(`"${name}" has no text as its "secret"`);
  return {
    secret,
    allowed: names(about, 'allowed_actions', name, refuse),
    denied: names(about, 'denied_actions', name, refuse) ?? [],
  };
}

function names(
  about: Readonly<Record<string, Json>>,
  key: string,
  name: string,
  refuse: (reason: string) => never,
): readonly string[] | null {
  const given = about[key] ?? null;
  if (given === null) return null;
  const texts = isList(given) ? given.filter((each) => typeof each === 'string') : [];
  return isList(given) && texts.length === given.length ? texts : refuse(`"${key}" of "${name}" is no list of names`);
}
