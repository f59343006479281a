import { browserWithoutDisplay } from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

/** Browsers themselves end without a word that a user could make sense of. */
export function requireDisplay(host: Host): void {
  if (host.platform === 'linux' && !host.env['DISPLAY'] && !host.env['WAYLAND_DISPLAY']) throw browserWithoutDisplay();
}
