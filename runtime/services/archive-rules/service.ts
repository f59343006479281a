import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import { ARCHIVE_BYTES, ARCHIVE_ENTRIES, ARCHIVE_RATIO, ARCHIVE_READ_BYTES } from '#schemas/generated/settings.ts';

import type { ArchiveRules } from './port.ts';

export const provider: Provider<'archiveRules'> = { open };

function open({ host, settings: { limits = {} } }: PortContext): ArchiveRules {
  return {
    entries: limits.archive_entries ?? ARCHIVE_ENTRIES,
    bytes: limits.archive_bytes ?? ARCHIVE_BYTES,
    ratio: limits.archive_ratio ?? ARCHIVE_RATIO,
    readBytes: limits.archive_read_bytes ?? ARCHIVE_READ_BYTES,
    platform: host.platform,
  };
}
