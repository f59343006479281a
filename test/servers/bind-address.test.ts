import { expect, test } from 'vitest';

import { bindAddress } from '#runtime/servers/bind-address.ts';

const lookup = async (): Promise<readonly string[]> => [];
const bound = (host: string, allowReachable = false) =>
  bindAddress({ server: 'TCP action', host, port: 1, allowReachable }, lookup);

test('addresses that stand for all of the machine are refused in words of their own', async () => {
  for (const host of ['0.0.0.0', '::'])
    await expect(bound(host)).rejects.toThrow(
      `"${host}" (every address of this machine) can be reached from other machines.`,
    );
  await expect(bound('192.0.2.1')).rejects.toThrow('"192.0.2.1" (192.0.2.1)');
  expect(await bound('0.0.0.0', true)).toEqual({ address: '0.0.0.0', isLoopback: false });
});

test('an empty host is none, also where all may be reached', async () => {
  for (const host of ['', ' ']) await expect(bound(host, true)).rejects.toThrow('the host is empty; 127.0.0.1 is');
});
