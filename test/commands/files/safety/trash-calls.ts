import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { FA_trash_empty, FA_trash_list, FA_trash_restore, FA_trash_send } from '#stdlib/files/safety/trash/trash.ts';

import { call, type Place } from '../call-here.ts';

/** Outcome of throwing something away. */
export type Sent = ReturnType<typeof call<'FA_trash_send'>>;

/** Commands of trash cans in the place of the test that runs, which is asked for at each call. */
export function trashCalls(here: () => Place) {
  const path = (name: string): string => here().path(name);
  const send = (name: string, can = 'bin', where = here()): Sent =>
    call(FA_trash_send, where, { path: path(name), trash_dir: path(can) });
  const list = (can = 'bin'): ReturnType<typeof call<'FA_trash_list'>> =>
    call(FA_trash_list, here(), { trash_dir: path(can) });
  const restore = (trash_id: string, destination?: string, can = 'bin'): Promise<string> =>
    call(FA_trash_restore, here(), {
      trash_id,
      trash_dir: path(can),
      destination: destination === undefined ? null : path(destination),
    });
  const empty = (can = 'bin'): Promise<number> => call(FA_trash_empty, here(), { trash_dir: path(can) });
  const make = async (name: string, content = name): Promise<void> => {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), content);
  };
  const text = (name: string): Promise<string> => readFile(path(name), 'utf8');
  return { send, list, restore, empty, make, text };
}
