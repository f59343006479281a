import { bound0, bound1, bound2 } from './bound.ts';

export const lint_action = bound1('WR_lint_action', 'data');
export const lint_action_file = bound1('WR_lint_action_file', 'path');
export const lint_severity_counts = bound1('WR_lint_severity_counts', 'findings');
export const validate_action_json = bound1('WR_validate_action_json', 'data');
export const validate_action_file = bound1('WR_validate_action_file', 'json_file_path');
export const migrate_action = bound1('WR_migrate_action', 'data');
export const migrate_action_file = bound1('WR_migrate_action_file', 'path');
export const migrate_directory = bound1('WR_migrate_directory', 'directory');
export const build_action_schema = bound0('WR_build_action_schema');
export const export_action_schema = bound1('WR_export_action_schema', 'path');
export const build_command_reference = bound0('WR_build_command_reference');
export const export_command_reference = bound1('WR_export_command_reference', 'path');
export const list_commands = bound0('WR_list_commands');
/** The source of a page object, of the text of a page. */
export const generate_pom_from_html = bound2('WR_generate_pom_from_html', 'html', 'class_name');
export const generate_pom_from_url = bound2('WR_generate_pom_from_url', 'url', 'class_name');
export const write_pom_to_file = bound2('WR_write_pom_to_file', 'source', 'output_path');
export const build_replay_html = bound0('WR_build_replay_html');
