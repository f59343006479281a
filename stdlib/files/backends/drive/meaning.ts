import * as fail from '#schemas/generated/failures.ts';

import { jsonIn, listIn, objectIn, textIn, type ApiMeaning } from '../drives/api-service.ts';

const BUSY = ['rateLimitExceeded', 'userRateLimitExceeded', 'sharingRateLimitExceeded', 'dailyLimitExceeded'];
const FULL = ['storageQuotaExceeded', 'teamDriveFileLimitExceeded', 'numChildrenInNonRootLimitExceeded'];

/** Answers that this service alone gives. */
export const meaning: ApiMeaning = {
  explain: (text) => {
    const error = objectIn(jsonIn(text) ?? {}, 'error');
    return { code: textIn(listIn(error, 'errors')[0] ?? {}, 'reason'), message: textIn(error, 'message') };
  },
  judge: ({ code, reason, place, path }) => {
    if (BUSY.includes(code)) return fail.storageUnavailable({ place, reason });
    if (FULL.includes(code)) return fail.storageFull({ place, path, reason });
    return undefined;
  },
};
