import type { Frame, Page } from 'playwright-core';

import { elementAmbiguous, elementNotFound, elementNotReady, waitRanOut } from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';

import { within } from '../shared/abortable.ts';
import { describeElements, listed } from '../page/describe.ts';
import { elsewhereHelp, frameSelector } from '../page/elsewhere.ts';
import { nearest, nearestTo, renamedHelp } from '../page/nearest.ts';
import { notReady, readiness } from '../page/readiness.ts';
import type { Check } from '../page/readiness.ts';
import { inLibraryForm } from '../test-objects/wire-forms.ts';
import { begunAction, failureOf, hindrance, quoted, secondsOf } from './failure-of.ts';
import { askOf } from './in-page.ts';
import type { Place } from './place.ts';
import type { Subject } from './port.ts';

/** Conditions that most actions need of their element, as a script reads them. */
const actionChecks = JSON.stringify(['visible', 'stable', 'enabled', 'reachable'] satisfies readonly Check[]);

/**
 * The failure of the catalogue that an error of the library is. Of time that ran out on an element it says, within
 * `ms`, that it is not there, or what stands in its way.
 */
export async function failureAt(place: Place, error: unknown, subject: Subject, ms: number): Promise<unknown> {
  const about = { frames: place.frameNames, root: place.frame, ...subject };
  const { selector, waiting, frames } = about;
  if (error instanceof Error && selector !== undefined && /strict mode violation/.test(error.message))
    return several(place, { ...about, selector }, error, ms);
  if (!(error instanceof Error) || error.name !== 'TimeoutError' || selector === undefined)
    return failureOf(error, about);
  const seconds = secondsOf(error, about);
  if (waiting !== undefined) {
    const seen = (await within(stateOf(place, selector), ms)) ?? {};
    return waitRanOut({ seconds, condition: waiting, cause: error, ...seen });
  }
  const begun = begunAction(error);
  if (begun !== undefined) {
    const reason = `the page did not answer after the ${begun}; waited ${seconds} s`;
    return elementNotReady({ selector: quoted(selector, frames), reason, cause: error });
  }
  const look = await within(lookAt(selector, about.root ?? place.shown), ms);
  if (look?.isThere === false) return notFound(place, { selector, frames }, seconds, ms);
  return elementNotReady({
    selector: quoted(selector, frames),
    reason: `${look?.words ?? hindrance(error) ?? 'it did not become ready'}; waited ${seconds} s`,
    cause: error,
  });
}

/** State at the end of a wait; of an element that is not there, what may have been meant. */
async function stateOf(place: Place, selector: string): Promise<{ readonly actual: string; readonly help?: string }> {
  const look = await lookAt(selector, place.root, JSON.stringify(['visible'] satisfies readonly Check[]));
  if (look.isThere) return { actual: look.words ?? 'visible' };
  const chain = await frameWith(place, selector);
  if (chain) return { actual: 'not on the page', ...elsewhereHelp(chain, wayTo) };
  const near = await place.root.evaluate<unknown>(`(${nearest})(${JSON.stringify(selector)})`);
  return { actual: 'not on the page', ...renamedHelp(near) };
}

async function several(
  place: Place,
  { selector, frames, root }: Subject & { readonly selector: string },
  cause: Error,
  ms: number,
): Promise<Failure> {
  const count = Number(/resolved to (\d+) elements/.exec(cause.message)?.[1]);
  const searched = root ?? place.shown;
  const naming = searched.$$(inLibraryForm(selector)).then((elements) => askOf(searched, describeElements, elements));
  const names = await within(naming, ms);
  return elementAmbiguous({ selector: quoted(selector, frames), count, elements: listed(names, count), cause });
}

/** Obstacle at this moment, in the words of both engines; no words where there is none. */
async function lookAt(
  selector: string,
  root: Page | Frame,
  checks = actionChecks,
): Promise<{ readonly isThere: boolean; readonly words?: string | undefined }> {
  const element = await root.$(inLibraryForm(selector));
  if (!element) return { isThere: false };
  const answer = await askOf(root, `(elements) => (${readiness})(elements[0], ${checks})`, [element]);
  return { isThere: true, words: notReady(answer)?.words };
}

/** Failure of a selector that found nothing, with what comes nearest to it. */
export async function notFound(
  place: Place,
  { selector, frames }: { readonly selector: string; readonly frames: readonly string[] },
  seconds: number,
  ms: number,
): Promise<Failure> {
  const title = (await within(place.shown.title(), ms)) ?? '';
  const waits = `WR_pw_wait_for_selector: { selector: ${quoted(selector)} }`;
  const found = await within(place.root.evaluate(`(${nearest})(${JSON.stringify(selector)})`), ms);
  const near = nearestTo(selector, found, waits);
  const isInPlace = frames.join() === place.frameNames.join();
  const other = isInPlace ? elsewhereHelp(await within(frameWith(place, selector), ms), wayTo) : {};
  return elementNotFound({
    ...near,
    ...other,
    selector: quoted(selector, frames),
    title,
    url: place.shown.url(),
    seconds,
    waits,
  });
}

/** Selectors of the frames from the top in which there is a match; undefined where there is none. */
async function frameWith({ shown, root }: Place, selector: string): Promise<readonly string[] | undefined> {
  const current = root === shown ? shown.mainFrame() : root;
  for (const frame of shown.frames().filter((each) => each !== current)) {
    const element = await frame.$(inLibraryForm(selector)).catch(() => null);
    if (!element) continue;
    await element.dispose();
    return chainTo(frame);
  }
  return undefined;
}

async function chainTo(frame: Frame): Promise<readonly string[]> {
  const parent = frame.parentFrame();
  if (!parent) return [];
  const owner = await frame.frameElement();
  const selector = String(await askOf(parent, `(elements) => (${frameSelector})(elements[0])`, [owner]));
  return [...(await chainTo(parent)), selector];
}

function wayTo(chain: readonly string[]): string {
  return `\`WR_pw_frame_locator_chain: { selectors: ${JSON.stringify(chain)} }\` before this step`;
}
