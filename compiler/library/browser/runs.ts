import { bound1, bound2, bound3 } from './bound.ts';

/** The class of an error by its text: transient or environment; null where the text does not tell. */
export const classify_error = bound1('WR_classify_error', 'error_repr');
export const classify_failure = bound1('WR_classify_failure', 'error_repr');
export const classify_failures = bound1('WR_classify_failures', 'failures');
export const ledger_record_run = bound3('WR_ledger_record_run', 'ledger_path', 'file_path', 'passed');
export const ledger_clear = bound1('WR_ledger_clear', 'ledger_path');
export const ledger_failed_files = bound1('WR_ledger_failed_files', 'ledger_path');
export const ledger_passed_files = bound1('WR_ledger_passed_files', 'ledger_path');
export const flakiness_stats = bound1('WR_flakiness_stats', 'ledger_path');
export const flaky_paths = bound1('WR_flaky_paths', 'ledger_path');
export const read_metadata = bound1('WR_read_metadata', 'path');
export const read_depends_on = bound1('WR_read_depends_on', 'path');
/** Paths and the paths that each depends on. */
export const build_dependency_graph = bound1('WR_build_dependency_graph', 'paths');
export const topological_order = bound1('WR_topological_order', 'graph');
/** The paths that depend on failed ones, through others too. */
export const skip_dependents_of_failed = bound2('WR_skip_dependents_of_failed', 'graph', 'failed');
export const filter_paths = bound1('WR_filter_paths', 'paths');
/** The paths of one of `total` shards, counted from 1. */
export const partition = bound3('WR_partition', 'paths', 'index', 'total');
export const partition_with_spec = bound2('WR_partition_with_spec', 'paths', 'spec');
export const parse_shard_spec = bound1('WR_parse_shard_spec', 'spec');
export const ci_format_error = bound1('WR_ci_format_error', 'message');
export const report_expected_paths = bound1('WR_report_expected_paths', 'base_name');
