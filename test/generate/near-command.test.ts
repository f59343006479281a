import { describe, expect, it } from 'vitest';

import { catalogue } from '#compiler/catalogue.ts';

describe('commands near to a name that is none', () => {
  it.each([
    ['a slip of the pen', 'FA_creat_file', ['FA_create_file']],
    ['another order', 'FA_file_copy', ['FA_copy_file']],
    ['another order', 'FA_read_csv', ['FA_csv_read']],
    ['another word', 'FA_make_dir', ['FA_create_dir']],
    ['another word', 'FA_delete_file', ['FA_remove_file']],
    ['another word, though one more is a slip away', 'FA_move_file', ['FA_rename_file']],
    ['another word', 'FA_hash', ['FA_file_checksum', 'FA_verify_checksum']],
    ['the name of a product', 'FA_s3_upload', ['FA_objstore_upload_file', 'FA_objstore_upload_dir']],
    ['words of many commands count less', 'FA_create_zip', ['FA_zip_file', 'FA_zip_dir']],
    ['the other engine', 'WR_click', ['WR_pw_click']],
    ['a part', 'AT_json_schema', ['AT_check_json_schema']],
    ['a part', 'AT_mock_add_route', ['AT_mock_add_template_route', 'AT_mock_add_dynamic_route']],
    ['a request', 'AT_get', ['AT_test_api_method']],
    ['a request', 'AT_http_post', ['AT_test_api_method']],
    ['a browser', 'WR_open_browser', ['WR_new_driver', 'WR_pw_launch']],
    ['an address', 'WR_goto', ['WR_to_url', 'WR_pw_to_url']],
    ['an address', 'WR_pw_goto', ['WR_pw_to_url']],
    ['an old name', 'WR_clik_element', ['WR_element_click']],
    ['a deed of the same kind', 'FA_read_json', ['FA_json_get']],
    ['a deed of the same kind', 'FA_write_json', ['FA_json_set']],
    ['files with data', 'FA_read_file', ['FA_json_get', 'FA_yaml_get', 'FA_csv_read']],
    ['a folder', 'FA_mkdir', ['FA_create_dir']],
    ['a program', 'FA_exec', ['FA_run_shell']],
    ['a question', 'FA_file_exists', ['FA_if_exists', 'FA_fs_exists']],
    ['a mail', 'FA_send_mail', ['FA_notify_send']],
    ['text of a page', 'WR_get_text', ['WR_pw_element_inner_text']],
    ['a browser', 'WR_pw_new_browser', ['WR_pw_launch']],
    ['a part of a page', 'WR_pw_locator', ['WR_pw_find_element']],
    ['a script', 'WR_execute_js', ['WR_execute_script']],
    ['a name without its domain', 'goto', ['WR_to_url', 'WR_pw_to_url']],
    ['a name without its domain', 'set_variable', ['AT_set_variable']],
    ['an option', 'AT_assert', []],
    ['nothing', 'WR_login', []],
    ['nothing', 'FA_', []],
    ['nothing', `FA_${'copy_'.repeat(100)}`, []],
  ])('%s: %s', (_, name, expected) => {
    expect(catalogue.didYouMean(name)).toEqual(expected);
  });

  it('are none that does not exist', () => {
    const names = 'AT_get FA_read_file FA_mkdir FA_exec FA_exists FA_send_mail WR_text WR_pw_find WR_goto WR_pw_goto';
    for (const guess of [...names.split(' '), 'WR_open_browser', 'WR_pw_open_browser'])
      for (const name of catalogue.didYouMean(guess)) expect(catalogue.has(name)).toBe(true);
  });
});
