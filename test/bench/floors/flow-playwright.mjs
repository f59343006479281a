import { chromium } from 'playwright-core';

const [, , url, times, , ...args] = process.argv;
const browser = await chromium.launch({ executablePath: process.env.CHROME_BIN ?? '/usr/bin/chromium', args });
const page = await browser.newPage();
try {
  for (let index = 0; index < Number(times); index += 1) {
    await page.goto(`${url}/form`);
    await page.fill('#name', 'Ada');
    await page.fill('#count', '3');
    await page.click('#send');
    await page.waitForSelector('#thanks');
  }
} finally {
  await browser.close();
}
