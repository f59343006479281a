import { join } from 'node:path';

import type { CompileContext } from '#compiler/context.ts';

/** What `${ENV.KEY}` will find, as far as the compiler can see. */
export interface KnownEnvironment {
  readonly has: (key: string) => boolean;
  readonly keys: () => readonly string[];
  /** The files that were looked for, as people would write them. */
  readonly lookedFor: readonly string[];
}

/**
 * The process environment with `.env.<name>` and `.env`, each looked up beside the action file, then at the project root.
 * `dotenv` of the options stands in place of `.env`.
 */
export async function knownEnvironment(
  folder: string,
  name: string | undefined,
  context: CompileContext,
): Promise<KnownEnvironment> {
  const { host, options, reader, root } = context;
  const environment = options.env ?? name;
  const keys = new Set(Object.keys(host.env).filter((key) => host.env[key] !== undefined));
  const lookedFor: string[] = [];
  let isReadable = true;
  const read = async (file: string, folders: readonly string[]): Promise<void> => {
    lookedFor.push(file);
    for (const each of new Set(folders)) {
      const path = join(each, file);
      const found = await reader.find(path);
      if (found === undefined || found.kind === 'directory') continue;
      try {
        const text = new TextDecoder().decode(await reader.read(path));
        for (const key of Object.keys(host.parseEnv(text))) keys.add(key);
      } catch {
        // What stands in it is not known now: the run will say why it cannot be read.
        isReadable = false;
      }
      return;
    }
  };
  await (options.dotenv === undefined ? read('.env', [folder, root]) : read(options.dotenv, [host.cwd]));
  if (environment !== undefined) await read(`.env.${environment}`, [folder, root]);
  return { has: (key) => !isReadable || keys.has(key), keys: () => [...keys], lookedFor };
}
