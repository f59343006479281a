import { describe, expect, it } from 'vitest';

import * as library from '#compiler/library/files.ts';

/**
 * The functions and classes of the specification's file part that local families hold, by family. `Class.method` is
 * asked of the class or of its prototype.
 */
const names: Readonly<Record<string, string>> = {
  execute:
    'execute_action execute_action_parallel validate_action execute_files read_action_json write_action_json ActionExecutor CallbackExecutor CallbackExecutor.callback_function substitute',
  dag: 'execute_action_dag',
  paths: 'safe_join is_within',
  find: 'scandir_find has_os_index',
  grep: 'iter_grep',
  diff: 'diff_dirs iter_dir_diff',
  ssrf: 'validate_http_url',
  project: 'create_project_dir ProjectBuilder',
  retry: 'retry_on_transient',
  quota: 'Quota Quota.check_size Quota.time_budget Quota.wraps',
  circuit: 'CircuitBreaker CircuitBreaker.call',
  ratelimit: 'RateLimiter RateLimiter.try_acquire RateLimiter.acquire',
  lock: 'FileLock SQLiteLock',
  progress: 'ProgressRegistry ProgressRegistry.create ProgressReporter CancellationToken',
  metrics: 'record_action render_metrics',
  audit: 'AuditLog AuditLog.record',
  tracing: 'init_tracing action_span',
  integrity: 'IntegrityMonitor',
  secrets:
    'SecretProvider.get EnvSecretProvider FileSecretProvider ChainedSecretProvider default_provider resolve_secret_refs',
  config: 'AutomationConfig.load AutomationConfig.apply_to ConfigWatcher',
  crypto: 'key_from_password generate_key',
  version: 'FileVersioner',
  schedule: 'CronExpression.parse CronExpression.matches Scheduler',
  watch: 'TriggerManager FileWatcher',
  notify:
    'NotificationSink.send NotificationManager NotificationManager.notify notify_on_failure WebhookSink ChatSink EmailSink TelegramSink DiscordSink TeamsSink PagerDutySink',
  remote:
    'objstore_instance blobstore_instance filesync_instance sftp_instance ftp_instance drive_instance drive2_instance drive3_instance WebDAVClient SMBClient walk_and_upload load_entry_point_plugins',
  clients:
    'WebDAVClient.upload WebDAVClient.download WebDAVClient.exists WebDAVClient.list_dir WebDAVClient.mkcol WebDAVClient.delete WebDAVClient.close SMBClient.exists SMBClient.upload SMBClient.download SMBClient.delete SMBClient.mkdir SMBClient.rmdir SMBClient.list_dir SMBClient.close',
  servers:
    'HTTPActionClient HTTPActionClient.execute HTTPActionClient.ping HTTPActionClient.close ActionACL.build ActionACL.enforce ActionACL.is_allowed ensure_loopback start_tcp_action_server start_http_action_server start_metrics_server start_web_ui compute_accept_key',
  registry:
    'ActionExecutor.add_command_to_executor ActionRegistry build_default_registry register_backend_ops PackageLoader MCPServer tools_from_registry',
  filesystem:
    'get_fs Filesystem.exists Filesystem.list_dir Filesystem.upload_file Filesystem.upload_dir Filesystem.download_file Filesystem.delete_path Filesystem.create_dir Filesystem.close',
  public_project: 'ActionQueue ContentStore launch_ui',
};

/**
 * Names that are not there. `ActionExecutor` takes functions in place of a registry (decision 0009), and what serves a
 * registry is `svc mcp` and `FA_mcp_list_tools`. The others are not described by the specification.
 */
const later = new Set<string>([
  'ActionRegistry',
  'build_default_registry',
  'register_backend_ops',
  'PackageLoader',
  'MCPServer',
  'tools_from_registry',
  'ActionQueue',
  'ContentStore',
  'launch_ui',
]);

describe('svc/files', () => {
  for (const name of Object.values(names).flatMap((row) => row.split(' '))) {
    it(later.has(name) ? `does not have ${name} yet` : `has ${name}`, () => expect(has(name)).toBe(!later.has(name)));
  }
});

function has(name: string): boolean {
  const [own = '', method] = name.split('.');
  const found = (library as Readonly<Record<string, unknown>>)[own];
  if (method === undefined)
    return typeof found === 'function' || (own.endsWith('_instance') && typeof found === 'object');
  return typeof found === 'function' && (method in found || method in (found.prototype as object));
}
