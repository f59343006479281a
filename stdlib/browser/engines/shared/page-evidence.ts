import type { Evidence } from '#runtime/kernel/ports.ts';
import type { Json } from '#schemas/types/json.ts';

import { accessibilityTree, coverSecrets, pageState, typedTexts, uncover } from '../page/page-state.ts';
import type { PageScripts } from '../page/page-scripts.ts';

/** The page of an engine, as far as a failed step shows it. */
export interface ShownPage {
  /** At the top of the page, or in its current frame. */
  readonly scripts: PageScripts;
  /**
   * Works in each document of the page, from its top on, frames of other sites too. Resolves with whether all did it
   * that are still there.
   */
  documents(scope: { readonly signal: AbortSignal }, work: (scripts: PageScripts) => Promise<void>): Promise<boolean>;
  picture(scope: { readonly signal: AbortSignal }): Promise<Uint8Array>;
  /** Messages of the console, a line each. */
  console(scope: { readonly signal: AbortSignal }): Promise<readonly string[]>;
  /** Title and address where the page runs no scripts. */
  place(scope: { readonly signal: AbortSignal }): Promise<readonly [title: string, url: string]>;
}

/**
 * The page as it was when a step had failed: picture, address, source, console, requests, tree of accessibility. A part
 * that the page does not give is left out. `masked` hides the secrets of the run: fields and texts that hold one that
 * was typed show dots in the picture, in every frame; where they cannot be covered there is no picture.
 */
export async function pageEvidence(
  page: ShownPage,
  signal: AbortSignal,
  masked: <Value extends Json>(value: Value) => Value,
): Promise<readonly Evidence[]> {
  const scope = { signal };
  const state = await pageState(page.scripts, scope).catch(() => undefined);
  const bytes = await pictured(page, scope, (value) => masked(value) !== value);
  const [title, url] = state ? [state.title, state.url] : await page.place(scope);
  const script = async (): Promise<string> => (await import('#schemas/generated/page-locators.ts')).pageLocators;
  const tree = state && (await accessibilityTree(page.scripts, scope, script).catch(() => ''));
  const said = await page.console(scope).catch(() => []);
  return [
    ...(bytes ? [{ kind: 'picture', name: 'page', mediaType: 'image/png', bytes } as const] : []),
    { kind: 'text', name: 'page', text: title === '' ? url : `${title}\n${url}` },
    ...texts({
      'accessibility.yaml': tree,
      'console.txt': said.join('\n'),
      'network.txt': state?.network,
      'page.html': state?.source,
    }),
  ];
}

async function pictured(
  page: ShownPage,
  scope: { readonly signal: AbortSignal },
  isSecret: (value: string) => boolean,
): Promise<Uint8Array | undefined> {
  const typed: string[] = [];
  let isCovered = false;
  const each = (work: (scripts: PageScripts) => Promise<void>): Promise<boolean> =>
    page.documents(scope, work).catch(() => false);
  await each(async (scripts) => void typed.push(...(await typedTexts(scripts, scope))));
  const secret = [...new Set(typed)].filter(isSecret);
  const allDid = await each(async (scripts) => {
    if (await coverSecrets(scripts, scope, secret)) isCovered = true;
  });
  try {
    return allDid || secret.length === 0 ? await page.picture(scope) : undefined;
  } finally {
    if (isCovered) await each((scripts) => uncover(scripts, scope));
  }
}

function texts(files: Readonly<Record<string, string | undefined>>): readonly Evidence[] {
  return Object.entries(files).flatMap(([file, text]) =>
    text === undefined || text === ''
      ? []
      : [{ kind: 'text', name: file.replace(/\.\w+$/, '').replace('page', 'source of the page'), text, file }],
  );
}
