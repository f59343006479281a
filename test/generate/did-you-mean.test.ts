import { describe, expect, it } from 'vitest';

import { catalogue } from '#compiler/catalogue.ts';
import { didYouMean, isSlip } from '#compiler/did-you-mean.ts';

import { ownTime } from '../fixtures/own-time.ts';

describe('didYouMean', () => {
  it.each([
    ['clik', ['click', 'check', 'fill'], ['click']],
    ['clikc', ['click', 'fill'], ['click']],
    ['CLICK', ['click', 'clock'], ['click', 'clock']],
    ['xyz', ['click'], []],
    ['a', ['b', 'c'], []],
    ['ab', ['ac', 'bb', 'cb', 'db'], ['ac', 'bb', 'cb']],
    ['doc', ['c', 'd', 'dog'], ['dog']],
    ['kk', ['k'], ['k']],
    ['', ['a', 'ab'], []],
    ['WR_sleep', ['WR_cdp', 'WR_faker'], []],
    ['WR_sleep', ['WR_slip'], ['WR_slip']],
  ])('offers for %s of %j: %j', (name, candidates, expected) => {
    expect(didYouMean(name, candidates)).toEqual(expected);
  });

  it('prefers the letter case that was written', () => {
    const spellings = ['ROLE', 'LABEL', 'role', 'label'];
    expect(didYouMean('rol', spellings)[0]).toBe('role');
    expect(didYouMean('LABLE', spellings)[0]).toBe('LABEL');
  });

  it('puts the nearest first', () => {
    expect(didYouMean('WR_clik_element', ['WR_click_elements', 'WR_click_element'])).toEqual([
      'WR_click_element',
      'WR_click_elements',
    ]);
  });

  it("offers today's name where an old one is near", () => {
    expect(catalogue.didYouMean('WR_clik_element')).toContain('WR_element_click');
    expect(catalogue.didYouMean('WR_clik_element')).not.toContain('WR_click_element');
  });

  it('looks through the catalogue at once', () => {
    const taken = ownTime();
    expect(catalogue.didYouMean('WR_pw_fil')).toContain('WR_pw_fill');
    expect(catalogue.didYouMean('FA_creat_file')[0]).toBe('FA_create_file');
    expect(taken()).toBeLessThan(200);
  });
});

describe('a slip', () => {
  it.each([
    ['FA_copy_files', 'FA_copy_file'],
    ['WR_quit_al', 'WR_quit_all'],
    ['file_pth', 'file_path'],
    ['FA_copyfile', 'FA_copy_file'],
  ])('is %s for %s', (name, candidate) => {
    expect(isSlip(name, [candidate])).toBe(true);
  });

  it.each([
    ['WR_set_title', 'WR_get_title'],
    ['FA_decrypt_dir', 'FA_encrypt_dir'],
    ['FA_unlock', 'FA_lock'],
    ['WR_read_it', 'WR_head_it'],
    ['FA_cpy_fil', 'FA_copy_file'],
  ])('is not %s for %s', (name, candidate) => {
    expect(isSlip(name, [candidate])).toBe(false);
  });

  it('has one candidate', () => {
    expect(isSlip('FA_copy_fil', ['FA_copy_file', 'FA_copy_files'])).toBe(false);
  });
});
