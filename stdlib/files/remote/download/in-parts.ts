import * as fail from '#schemas/generated/failures.ts';
import { digestFile } from '#stdlib/files/digest-file.ts';
import { digestNamed } from '#stdlib/files/digest-name.ts';

import { isPacked, readAnswer, type Kept } from './answer.ts';
import { ask } from './ask.ts';
import { bytesOf } from './bytes.ts';
import { PartialDownload } from './part.ts';
import { verifyDigest } from './verify-digest.ts';
import { ifRange, validatorOf } from './validator.ts';
import type { Answer, DownloadTools, Wanted } from './wanted.ts';
import { writeWhole } from './whole.ts';

/**
 * Downloads into a part beside the target, continuing one that is there. Yields the head of the answer that ended it.
 */
export async function downloadInParts(tools: DownloadTools, wanted: Wanted): Promise<Answer> {
  const part = new PartialDownload(tools.files, wanted.target);
  // Two who append to one part would mix their bytes.
  const lock = await tools.fileLocks.take(part.path, tools.signal);
  if ('holder' in lock) throw fail.downloadBusy({ path: part.path, holder: lock.holder, claim: lock.claim });
  try {
    return await continued(tools, wanted, part);
  } finally {
    await lock.release();
  }
}

async function continued(tools: DownloadTools, wanted: Wanted, part: PartialDownload): Promise<Answer> {
  const kept = await part.find(wanted.url);
  const answer = await ask(
    tools,
    wanted,
    kept ? { range: `bytes=${kept.size}-`, 'if-range': ifRange(kept.validator) } : {},
  );
  if (await goOn(tools, wanted, { part, kept, answer })) return answer;
  // The kept part belongs to a file that is no longer there.
  await part.remove();
  const anew = await ask(tools, wanted, {});
  await goOn(tools, wanted, { part, kept: undefined, answer: anew });
  return anew;
}

/** False where the part is of no use and the file must be asked for anew. */
async function goOn(
  tools: DownloadTools,
  wanted: Wanted,
  { part, kept, answer }: { readonly part: PartialDownload; readonly kept: Kept | undefined; readonly answer: Answer },
): Promise<boolean> {
  try {
    const meaning = readAnswer(tools, answer, kept, wanted);
    switch (meaning.kind) {
      case 'changed':
        return false;
      case 'complete':
        tools.transfer.expect(kept?.size ?? null);
        tools.transfer.update(kept?.size ?? 0);
        break;
      case 'rest':
        await part.append(bytesOf(tools, answer, wanted, { before: kept?.size ?? 0, total: meaning.total }));
        break;
      case 'whole': {
        const validator = isPacked(answer) ? undefined : validatorOf(answer.headers);
        await part.remove();
        if (!validator) {
          await writeWhole(tools, wanted, answer, meaning.total);
          return true;
        }
        await part.begin(wanted.url, validator);
        await part.append(bytesOf(tools, answer, wanted, { before: 0, total: meaning.total }));
      }
    }
    await verify(tools, wanted, part);
    await part.finish(wanted.target, tools.durable);
    return true;
  } finally {
    answer.close();
  }
}

async function verify(tools: DownloadTools, wanted: Wanted, part: PartialDownload): Promise<void> {
  if (wanted.sha256 === undefined) return;
  try {
    verifyDigest(tools, wanted, await digestFile(tools, part.path, digestNamed('sha256')));
  } catch (error) {
    if (!tools.signal.aborted) await part.remove();
    throw error;
  }
}
