import {
  addressUnusable,
  browserGone,
  browserRefused,
  browserWindowGone,
  elementNotReady,
  elementStale,
  keyUnknown,
  pageLoadTimeout,
  pageScriptFailed,
  selectorUnusable,
  waitRanOut,
} from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';

import { inFrames } from '../shared/in-frames.ts';
import { unreachable } from '../shared/unreachable.ts';
import type { Subject } from './port.ts';

/**
 * The failure of the catalogue that an error of the library is. Time that ran out on an element is looked into by the
 * session.
 */
export function failureOf(error: unknown, about: Subject): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const reason = reasonOf(error);
  const selector = quoted(about.selector ?? '', about.frames);
  const network = /net::(ERR_[A-Z_]+)|(NS_ERROR_[A-Z_]+)/.exec(error.message);
  if (network) {
    const word = network[1] ?? network[2] ?? '';
    const isUnheld = about.archive !== undefined && word === 'ERR_FAILED';
    const why = isUnheld ? `${word}; "${about.archive}" answers here, and does not hold it` : word;
    return unreachable(about.url ?? 'the page', why, error);
  }
  if (error.name === 'TimeoutError') return timeoutOf(error, about);
  if (/has been closed|has crashed|Target crashed|browser has disconnected/i.test(reason))
    return browserGone({ reason, cause: error });
  if (/frame (was|has been|got) detached|detached frame/i.test(reason)) return browserWindowGone({ cause: error });
  if (/not attached to the DOM|context was destroyed|is disposed|Unable to adopt/i.test(reason))
    return elementStale({ selector, cause: error });
  if (
    /while parsing .*selector|Unknown engine|is not a valid selector|Malformed selector|Unexpected (token|end of selector)|not a valid XPath/i.test(
      reason,
    )
  )
    return selectorUnusable({ selector, reason, cause: error });
  if (/invalid URL/i.test(reason)) return addressUnusable({ url: about.url ?? '', cause: error });
  const key = /Unknown key: "(.*)"/.exec(reason)?.[1];
  if (key !== undefined) return keyUnknown({ key, cause: error });
  if (about.selector !== undefined) return elementNotReady({ selector, reason, cause: error });
  return browserRefused({ reason, cause: error });
}

function timeoutOf(error: Error, about: Subject): Failure {
  const seconds = secondsOf(error, about);
  const { url } = about;
  if (url !== undefined)
    return pageLoadTimeout({ page: url.includes(':') ? `"${url}"` : 'The page', seconds, cause: error });
  return waitRanOut({ seconds, condition: about.waiting ?? reasonOf(error), cause: error });
}

/** A selector as messages name it, with those of the frames in which it is looked for. */
export function quoted(selector: string, frames: readonly string[] = []): string {
  return `"${selector}"${inFrames(frames.map((each) => `"${each}"`))}`;
}

/** Seconds that were waited: the message has them in milliseconds. */
export function secondsOf(error: Error, about: Subject): number {
  const given = /Timeout (\d+)ms exceeded/.exec(error.message)?.[1];
  return Number(given ?? about.timeout ?? 0) / 1000;
}

/** Obstacle to an action, by the library's log of its attempts; undefined where it does not say. */
export function hindrance(error: Error): string | undefined {
  const said = logOf(error).findLast((line) =>
    /intercepts pointer events|element is (not|outside)|did not find some options|not (visible|enabled|stable|editable|checkable)/i.test(
      line,
    ),
  );
  return said ?? (isUnseen(error) ? 'it was not found until then, and the page does not answer' : undefined);
}

/** Name of an action that was begun and to which the page gave no answer; undefined where there is none. */
export function begunAction(error: Error): string | undefined {
  return /^performing (.+) action$/.exec(logOf(error).findLast((line) => line !== '') ?? '')?.[1];
}

/** Whether the library had not found the element when its time was over. */
function isUnseen(error: Error): boolean {
  const lines = logOf(error);
  return lines.some((line) => line.startsWith('waiting for ')) && !lines.some((line) => /resolved to/.test(line));
}

/** Lines of the library's log. */
function logOf(error: Error): readonly string[] {
  const [, log = ''] = error.message.split('Call log:');
  return log.split('\n').map((line) => line.replace(/\u001b\[\d+m/g, '').replace(/^[\s-]+/, ''));
}

/** A script that threw in the page. */
export function scriptFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Failure || /has been closed|has crashed/.test(error.message))
    return failureOf(error, {});
  return pageScriptFailed({ reason: reasonOf(error), cause: error });
}

/** The first line, without the name of the method. */
export function reasonOf(error: Error): string {
  const line = error.message.split('\n', 1)[0] ?? '';
  return (
    line
      .replace(/^(?:[a-zA-Z]+\.)+[$\w]+: /, '')
      .replace(/^Error: /, '')
      .trim() || error.name
  );
}
