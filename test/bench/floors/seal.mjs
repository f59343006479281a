// Encrypts a file as a script of twenty lines does: one buffer, calls that block. SOURCE TARGET
import { createCipheriv, randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';

const [source, target] = process.argv.slice(2);
const buffer = Buffer.allocUnsafeSlow(256 * 1024);
const from = openSync(source, 'r');
const to = openSync(target, 'w', 0o600);
const nonce = randomBytes(12);
const cipher = createCipheriv('aes-256-gcm', Buffer.alloc(32, 7), nonce);
writeSync(to, nonce);
for (let length = readSync(from, buffer); length > 0; length = readSync(from, buffer)) writeSync(to, cipher.update(buffer.subarray(0, length)));
cipher.final();
writeSync(to, cipher.getAuthTag());
closeSync(from);
closeSync(to);
