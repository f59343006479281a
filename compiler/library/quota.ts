import { nodeHost } from '#runtime/hosts/node.ts';
import { QuotaGuard, type BudgetScope, type QuotaOptions } from '#stdlib/files/safety/quota/quota-guard.ts';

export type { BudgetScope, QuotaOptions };

/**
 * A size and a time limit for functions and blocks: `using budget = quota.time_budget()`, whose `signal` tells that
 * time is up.
 */
export class Quota extends QuotaGuard {
  constructor(options: QuotaOptions = {}) {
    super(nodeHost().clock, options);
  }
}
