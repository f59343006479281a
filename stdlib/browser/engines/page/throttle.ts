import type { Base } from '#runtime/kernel/ports.ts';

import type { Protocol } from './protocol.ts';

interface Conditions {
  readonly offline: boolean;
  /** Milliseconds. */
  readonly latency: number;
  /** Bytes a second; -1 is no limit. */
  readonly downloadThroughput: number;
  readonly uploadThroughput: number;
}

/** Latency, download and upload of the catalogue. */
const presets = {
  fast_3g: slow(150, 209_715, 96_000),
  no_throttling: slow(0, -1, -1),
  offline: { offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0 },
  regular_4g: slow(20, 524_288, 393_216),
  slow_3g: slow(400, 51_200, 51_200),
  wifi: slow(2, 3_932_160, 1_966_080),
} as const satisfies Readonly<Record<string, Conditions>>;

export type ThrottlePreset = keyof typeof presets;

/** Presets in alphabetical order. */
export const throttlePresets: readonly string[] = Object.keys(presets).toSorted();

/** Holds the network of the current page to a preset. Yields what the browser answers. */
export async function throttle(page: Protocol, scope: Pick<Base, 'signal'>, preset: ThrottlePreset): Promise<unknown> {
  // Without the domain the browser takes the setting and ignores it.
  await page.protocol(scope, 'Network.enable', {});
  return page.protocol(scope, 'Network.emulateNetworkConditions', { ...presets[preset] });
}

function slow(latency: number, downloadThroughput: number, uploadThroughput: number): Conditions {
  return { offline: false, latency, downloadThroughput, uploadThroughput };
}
