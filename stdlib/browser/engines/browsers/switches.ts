import { getuid } from 'node:process';

import { browserSandboxOff } from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

/** Chromium refuses to start as root with its sandbox. */
export function mustRunWithoutSandbox(host: Host): boolean {
  return host.platform === 'linux' && getuid?.() === 0;
}

/** Notice for reporters when the sandbox was switched off. */
export function sandboxNotice(): string {
  return browserSandboxOff().message;
}

/** Switches in order, each once; of two settings of one switch the later wins, as in the browser. */
export function mergeSwitches(...lists: readonly (readonly string[])[]): readonly string[] {
  const byName = new Map<string, string>();
  for (const each of lists.flat()) {
    const name = each.split('=', 1)[0] ?? each;
    byName.delete(name);
    byName.set(name, each);
  }
  return [...byName.values()];
}

export function hasSwitch(switches: readonly string[], name: string): boolean {
  return switches.some((each) => each === name || each.startsWith(`${name}=`));
}
