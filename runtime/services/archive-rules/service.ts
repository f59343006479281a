import type { PortContext, Provider } from '#runtime/kernel/ports.ts';

import type { ArchiveRules } from './port.ts';

export const provider: Provider<'archiveRules'> = { open };

function open({ host, settings: { limits = {} } }: PortContext): ArchiveRules {
  return {
    entries: limits['archive_entries'] ?? 100_000,
    bytes: limits['archive_bytes'] ?? 10 * 1024 ** 3,
    ratio: limits['archive_ratio'] ?? 200,
    readBytes: limits['archive_read_bytes'] ?? 64 * 1024 ** 2,
    platform: host.platform,
  };
}
