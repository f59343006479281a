import {
  addressUnusable,
  browserGone,
  browserRefused,
  browserWindowGone,
  elementNotReady,
  elementStale,
  pageDialogOpen,
  pageLoadTimeout,
  pageScriptFailed,
  pageScriptTimeout,
  protocolCommandUnknown,
  selectorUnusable,
} from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';

import { unreachable } from '../shared/unreachable.ts';

/** Subject of the failed call, as far as known: messages name it. */
export interface About {
  readonly selector?: string;
  readonly url?: string;
  readonly command?: string;
  /** Page load limit (s) of the session. */
  readonly pageLoadS: number;
  readonly scriptS: number;
  /** Reason why the driver ended, where it did. */
  readonly ended: string | undefined;
}

/** The failure of the catalogue that an error of the driver is. */
export function failureOf(error: unknown, about: About): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  if (about.ended !== undefined) return browserGone({ reason: about.ended, cause: error });
  const reason = reasonOf(error);
  const selector = about.selector ?? 'in question';
  // The driver has no word of its own for what a script of ours found unreadable.
  if (/is not a valid selector/.test(reason)) return selectorUnusable({ selector, reason, cause: error });
  switch (error.name) {
    case 'StaleElementReferenceError':
    case 'DetachedShadowRootError':
      return elementStale({ selector, cause: error });
    case 'ElementClickInterceptedError':
    case 'ElementNotInteractableError':
    case 'ElementNotSelectableError':
    case 'MoveTargetOutOfBoundsError':
    case 'InvalidCoordinatesError':
      return elementNotReady({ selector, reason, cause: error });
    case 'InvalidElementStateError':
      // The driver says only this of a button that is to be emptied.
      return elementNotReady({
        selector,
        reason: reason === 'invalid element state' ? 'no text can be put into it' : reason,
        cause: error,
      });
    case 'InvalidSelectorError':
      return selectorUnusable({ selector, reason, cause: error });
    case 'TimeoutError':
      return pageLoadTimeout({
        page: about.url === undefined ? 'The page' : `"${about.url}"`,
        seconds: about.pageLoadS,
        cause: error,
      });
    case 'ScriptTimeoutError':
      return pageScriptTimeout({ seconds: about.scriptS, cause: error });
    case 'JavascriptError':
      return pageScriptFailed({ reason, cause: error });
    case 'NoSuchWindowError':
    case 'NoSuchFrameError':
      return browserWindowGone({ cause: error });
    case 'NoSuchSessionError':
      return browserGone({ reason, cause: error });
    case 'UnexpectedAlertOpenError':
      return pageDialogOpen({ text: dialogText(error), cause: error });
    case 'InvalidArgumentError':
      return about.url === undefined
        ? browserRefused({ reason, cause: error })
        : addressUnusable({ url: about.url, cause: error });
    case 'UnknownCommandError':
      return protocolCommandUnknown({ name: about.command ?? reason, cause: error });
    default:
      return byMessage(error, reason, about);
  }
}

function byMessage(error: Error, reason: string, about: About): unknown {
  const network = /net::(ERR_[A-Z_]+)/.exec(error.message)?.[1] ?? /about:neterror\?e=(\w+)/.exec(error.message)?.[1];
  if (network !== undefined) return unreachable(about.url ?? 'the page', network, error);
  if (about.url !== undefined && reason === 'unsupported protocol')
    return addressUnusable({ url: about.url, cause: error });
  if (
    /disconnected|not reachable|crashed|session deleted|ECONNREFUSED|ECONNRESET|EPIPE|socket hang up/.test(
      error.message,
    )
  )
    return browserGone({ reason, cause: error });
  return browserRefused({ reason, cause: error });
}

/**
 * The first line, without what drivers add about themselves; a second one that names the origin of the error belongs to
 * it.
 */
export function reasonOf(error: Error): string {
  const [first = '', second = ''] = error.message.split('\n');
  const origin = /^from (?:unknown error: )?(.+)$/.exec(second)?.[1];
  const line = first
    .replace(
      /^(unknown error|javascript error|invalid selector|element (not interactable|click intercepted)|session not created): /,
      '',
    )
    .trim();
  return origin === undefined ? line || error.name : `${line}: ${origin}`;
}

function dialogText(error: Error): string {
  return /Alert text : ([^}]*)\}/.exec(error.message)?.[1]?.trim() ?? '';
}
