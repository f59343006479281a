import { bound0, bound1, bound2 } from './bound.ts';

/** Findings of an accessibility audit as one line each. */
export const a11y_summarise = bound1('WR_a11y_summarise', 'results');
/** Rejects where a metric of a page is above its threshold. */
export const perf_assert_within = bound2('WR_perf_assert_within', 'metrics', 'thresholds');
export const audit_security_headers = bound1('WR_audit_security_headers', 'headers');
export const audit_security_headers_url = bound1('WR_audit_security_headers_url', 'url');
/** Differences of two network archives: requests of one alone, and answers that differ. */
export const diff_har = bound2('WR_diff_har', 'left', 'right');
export const diff_har_files = bound2('WR_diff_har_files', 'left_path', 'right_path');
export const scan_secrets = bound1('WR_scan_secrets', 'data');
export const scan_secrets_file = bound1('WR_scan_secrets_file', 'path');
export const assert_no_secrets = bound1('WR_assert_no_secrets', 'data');
/** Compares a text with a stored one; stores it where there is none. */
export const match_snapshot = bound2('WR_match_snapshot', 'name', 'value');
export const update_snapshot = bound2('WR_update_snapshot', 'name', 'value');
export const delete_snapshot = bound1('WR_delete_snapshot', 'name');
export const user_factory = bound0('WR_user_factory');
export const order_factory = bound0('WR_order_factory');
export const product_factory = bound0('WR_product_factory');
