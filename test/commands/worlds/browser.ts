import { chromium } from '../../fixtures/chromium.ts';
import type { MakeWorld } from './world.ts';

/** A Chromium that can be started; nothing is running yet. */
export const world: MakeWorld = () =>
  Promise.resolve({ settings: chromium.pages, [Symbol.asyncDispose]: () => Promise.resolve() });
