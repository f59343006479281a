import { basename, join } from 'node:path';

import { bytesOfName, textOfName } from '#schemas/types/file-name.ts';
import type { Files } from '#schemas/types/host.ts';
import { entryAt } from '#stdlib/files/kind.ts';

import type { TrashCan, TrashTools } from './trash-can.ts';

const INTENT = /^\.[0-9a-f]{32}\.pending$/;
/** Names of temporary files: what an intent names lies in its own folder. */
const SIGN = /^\.[^/\\]*\.tmp$/;

/**
 * Somebody throws something away, brings it back or removes it for good: its facts are there longer than its content.
 * The sign of life is a temporary file, which is removed with all that a killed process leaves; an intent without it
 * belongs to nobody any more.
 */
export interface Intent {
  /** Says which entry it is about, before its facts stand alone. */
  about(id: string): Promise<void>;
  /** Never fails: what stays is cleared away by the next one. */
  end(): Promise<void>;
}

export async function beginIntent({ files, random }: TrashTools, { workshop }: TrashCan): Promise<Intent> {
  const sign = files.temporaryBeside(join(workshop, 'sign'));
  await files.write(sign, '');
  const path = join(workshop, `.${random.uuid()}.pending`);
  return {
    about: (id) => files.write(path, bytesOfName(`${basename(sign)}\n${id}`)),
    end: async () => {
      for (const one of [path, sign]) await files.remove(one).catch(() => undefined);
    },
  };
}

/** Takes away what others left when they were killed; yields the entries on which others are at work. */
export async function settleIntents({ files }: TrashTools, can: TrashCan): Promise<ReadonlySet<string>> {
  const busy = new Set<string>();
  // Signs of life go first with those who made them.
  await files.sweep(can.workshop);
  for (const { id, path, isAlive } of await intentsIn(files, can)) {
    if (isAlive) {
      busy.add(id);
      continue;
    }
    // Whoever has just ended has moved the content, or removed the facts, before the sign of life went.
    if (isPlain(id) && !(await can.hasContent(id))) await can.forget(id);
    if ((await entryAt(files, path)) !== undefined) await files.remove(path);
  }
  return busy;
}

/** Entries on which somebody is, or was, at work: facts without content are nothing to tell of there. */
export async function unfinished({ files }: TrashTools, can: TrashCan): Promise<ReadonlySet<string>> {
  return new Set((await intentsIn(files, can)).map(({ id }) => id));
}

async function intentsIn(
  files: Files,
  { workshop }: TrashCan,
): Promise<{ readonly id: string; readonly path: string; readonly isAlive: boolean }[]> {
  if ((await files.find(workshop)) === undefined) return [];
  const names = (await files.list(workshop)).flatMap(({ name }) => (INTENT.test(name) ? [name] : []));
  return Promise.all(
    names.map(async (name) => {
      const path = join(workshop, name);
      // An id may hold line ends too.
      const [, sign = '', id = ''] = /^([^\n]*)\n(.*)$/s.exec(await textAt(files, path)) ?? [];
      return { id, path, isAlive: SIGN.test(sign) && (await entryAt(files, join(workshop, sign))) !== undefined };
    }),
  );
}

/** Whether an id can be that of an entry: never a way to somewhere else. */
export function isPlain(id: string): boolean {
  return id !== '' && id !== '.' && id !== '..' && !/[/\\\0]/.test(id);
}

async function textAt(files: Files, path: string): Promise<string> {
  return (await entryAt(files, path))?.kind === 'file' ? textOfName(await files.read(path)) : '';
}
