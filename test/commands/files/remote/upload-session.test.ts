import { expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import * as fail from '#schemas/generated/failures.ts';
import { forgotten } from '#stdlib/files/backends/forgotten.ts';
import { sendBySession } from '#stdlib/files/backends/drives/resumable.ts';

import { bytesOf, failureNamed, pieces } from '../../../conformance/storage/service.ts';

/** Sends ten bytes by a session that was noted, whose service answers so when it is asked; yields what was done. */
async function goingOn(answer: Error) {
  const done: string[] = [];
  const { clock } = nodeHost();
  const upload = {
    clock,
    place: 'drive:',
    signal: new AbortController().signal,
    ask: () => Promise.reject(answer),
    put: async () => ({ file: {} }),
  };
  const sending = sendBySession(
    {
      partSize: 100,
      kept: {
        note: { session: 'old' },
        keep: async ({ session }) => void done.push(`kept ${String(session)}`),
        forget: async () => void done.push('forgot'),
        arrived: () => {},
      },
      begin: async () => 'new',
      at: () => upload,
      end: async () => {},
    },
    pieces(bytesOf(10)),
  );
  return { outcome: await failureNamed(sending), done };
}

test('a session that the service has forgotten is begun anew', async () => {
  expect(await goingOn(forgotten('drive:', 'gone'))).toEqual({ outcome: 'no failure', done: ['kept new'] });
});

test('a session that cannot be asked for is kept for a later call', async () => {
  const denied = fail.storageDenied({ place: 'drive:', path: 'a', reason: 'no' });
  expect(await goingOn(denied)).toEqual({ outcome: 'storage-denied', done: [] });
});
