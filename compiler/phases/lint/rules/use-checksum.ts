import * as d from '#schemas/generated/diagnostics.ts';

import { hostOf, isPublicHost } from '../literals.ts';
import { literal, type Rule } from '../rule.ts';

/** A download from a public host is compared with a checksum. */
export default {
  name: 'use-checksum',
  preset: 'strict',
  resolved({ groups, report }) {
    for (const call of groups.of(({ name }) => name === 'FA_download_file')) {
      if (call.node.command !== 'FA_download_file' || call.isWritten('expected_sha256')) continue;
      const url = literal(call, 'url');
      const host = typeof url === 'string' ? hostOf(url) : undefined;
      if (host !== undefined && isPublicHost(host)) report(d.useChecksum({ at: call.argumentAt('url'), host }));
    }
  },
} satisfies Rule;
