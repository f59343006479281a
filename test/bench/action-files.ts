/**
 * Action files of any length, as people's files look: variables, requests, files, references, every tenth step with
 * options.
 */
export function actions(count: number): readonly unknown[] {
  return Array.from({ length: count }, (_, index) => {
    switch (index % 5) {
      case 0:
        return ['AT_set_variable', { name: `name_${index}`, value: index }];
      case 1:
        return [
          'AT_test_api_method',
          {
            http_method: 'get',
            test_url: `http://127.0.0.1:8080/items/${index}`,
            headers: { accept: 'application/json' },
            result_check_dict: { status_code: 200 },
          },
        ];
      case 2:
        return ['FA_create_file', { file_path: `out/${index}.txt`, content: `line ${index}` }];
      case 3:
        return ['FA_create_file', { file_path: `out/${index}.json`, content: `{{name_${index - 3}}} and more` }];
      default:
        return { FA_copy_file: [`out/${index - 2}.txt`, `out/${index}.copy`], id: `copy_${index}`, timeout_s: 5 };
    }
  });
}

export function asJson(count: number): string {
  return JSON.stringify({ actions: actions(count) });
}

/** Block YAML as an emitter writes it: one action a line group. */
export function asYaml(count: number): string {
  const lines = actions(count).map((action) => `  - ${JSON.stringify(action).replaceAll('":', '": ')}`);
  return `actions:\n${lines.join('\n')}\n`;
}
