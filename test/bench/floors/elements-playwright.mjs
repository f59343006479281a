import { chromium } from 'playwright-core';

const [, , url, times, , ...args] = process.argv;
const browser = await chromium.launch({ executablePath: process.env.CHROME_BIN ?? '/usr/bin/chromium', args });
const page = await browser.newPage();
try {
  await page.goto(`${url}/form`);
  for (let index = 0; index < Number(times); index += 1) {
    await page.fill('#name', 'Ada Lovelace');
    await page.click('#plus');
    await page.innerText('#sum');
    await page.isVisible('#sum');
    await page.fill('#name', '');
    await page.click('#plus');
    await page.getAttribute('#name', 'name');
    await page.hover('#send');
    await page.fill('#count', '3456');
    await page.press('#count', 'End');
  }
} finally {
  await browser.close();
}
