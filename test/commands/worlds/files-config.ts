import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/**
 * `notify.toml` with two sinks on this machine; `elsewhere.toml`; `typo.toml`, `no-secret.toml` and `broken.toml`,
 * which cannot be used.
 */
export const world: MakeWorld = async ({ root }) => {
  await mkdir(join(root, 'secret-files'));
  await writeFile(join(root, 'secret-files/mail'), 'open sesame\n', { mode: 0o600 });
  const files = {
    'notify.toml': `[secrets]
file_root = "secret-files"
[defaults]
dedup_seconds = 30
[[notify.sinks]]
type = "webhook"
name = "builds"
webhook_url = "http://127.0.0.1:9/builds"
[[notify.sinks]]
type = "email"
host = "127.0.0.1"
port = 25
sender = "svc@example.test"
recipients = ["ops@example.test"]
username = "svc"
password = "\${file:mail}"
`,
    'elsewhere.toml': '[[notify.sinks]]\ntype = "teams"\nwebhook_url = "https://teams.example.test/hook"\n',
    'typo.toml': '[defaults]\ndedup_second = 30\n',
    'no-secret.toml': '[[notify.sinks]]\ntype = "chat"\nwebhook_url = "${env:NO_SUCH_VARIABLE_IS_SET}"\n',
    'broken.toml': '[defaults\n',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(root, name), content);
  return { settings: { gates: { private: true } }, [Symbol.asyncDispose]: async () => undefined };
};
