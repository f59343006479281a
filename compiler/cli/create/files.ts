/** The schema that editors check and complete action files with. */
export const SCHEMA = 'action-file.schema.json';

/**
 * Files that `svc create` puts into a new folder, by name. The first file passes as it is, without network or
 * browser.
 */
export const files: Readonly<Record<string, string>> = {
  'first.yaml': `# yaml-language-server: $schema=./${SCHEMA}
# A list of actions. Run it: svc run first.yaml      Look at it first: svc plan first.yaml
meta:
  name: A first run
  description: Starts a small server, asks it, and keeps the answer as a file.
setup:
  - AT_mock_add_template_route: { rule: /greeting, body_template: { message: "Hello {{ request.query.name }}" } }
  - AT_start_mock_server: { port: 0 }
    save_as: { name: server, path: url }
actions:
  - AT_test_api_method: { http_method: get, test_url: "{{server}}/greeting", params: { name: Ada } }
    name: ask for a greeting
    expect: [result.status_code == 200, result.json.message == "Hello Ada"]
    save_as: { name: message, path: json.message }
  - FA_create_file: { file_path: "\${run.tmp}/greeting.txt", content: "{{message}} from \${ENV.GREETER:-nobody}" }
    name: keep it
  - FA_file_checksum: { path: "\${run.tmp}/greeting.txt" }
    name: take its checksum
    expect: len(result) == 64
teardown:
  - AT_stop_mock_server
`,
  '.env': `# Read as \${ENV.NAME}. Values for one environment stand in .env.<name> and are chosen by --env <name>.
GREETER=svc
`,
  '.gitignore': `# Runs, reports and caches; values of environments, which may be secret; what \`svc schema export\` writes.
.svc/
.env
.env.*
${SCHEMA}
`,
  'svc.config.yaml': `# All settings have defaults; \`svc schema export --only config\` lists them.
lint:
  preset: recommended
`,
};
