import type { Base } from '#runtime/kernel/ports.ts';
import { auditFailed } from '#schemas/generated/failures.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

import { askPage } from './page-scripts.ts';
import type { PageScripts } from './page-scripts.ts';

/** A page whose frames, one inside the other, can be reached too. */
export interface FramedPage extends PageScripts {
  /** Runs the body of a function in the current page, or frame, and in every frame inside it. Ends where it began. */
  evaluateInFrames(scope: Pick<Base, 'signal'>, body: string): Promise<void>;
}

/** Milliseconds that the engine may take for one page. */
const auditMs = 25_000;

/** Runs an accessibility engine on the current page, or frame, and the frames inside it. Yields its whole result. */
export async function auditPage(
  page: FramedPage,
  scope: Pick<Base, 'signal'>,
  source: string,
  options: Readonly<Record<string, unknown>> | undefined,
): Promise<Record<string, unknown>> {
  await page.evaluateInFrames(scope, `${source}\n;${acrossSites}`);
  const result = await askPage(page, scope, running, [(options ?? {}) as JsonObject, auditMs], ({ message }) =>
    auditFailed({ reason: message }),
  );
  if (!isObject(result)) throw auditFailed({ reason: 'the engine gave no result' });
  return { ...result };
}

/** Frames of other sites take part only where they are told that the page around them may ask. */
const acrossSites = `
if (window.axe && typeof window.axe.configure === 'function') window.axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] });`;

/** The engine's own name on the page is `axe`. */
const running = `
const [options, limit] = arguments;
if (!window.axe || typeof window.axe.run !== 'function') throw new Error('the script that was given defines no axe.run');
const late = new Promise((_, reject) => setTimeout(() => reject(new Error('the engine did not end within ' + limit / 1000 + ' s')), limit));
return JSON.parse(JSON.stringify(await Promise.race([window.axe.run(document, options), late])));`;
