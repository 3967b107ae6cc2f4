// The page in headless Chromium. Usage: page_test.mjs FOLDER_WITH_PAGES [FOLDER_FOR_SCREENSHOTS]
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {chromium} from 'playwright-core';

const [folder, shots] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

const looks = [
  {name: 'light', colorScheme: 'light', viewport: {width: 1100, height: 900}},
  {name: 'dark', colorScheme: 'dark', viewport: {width: 1100, height: 900}},
  {name: 'phone', colorScheme: 'light', viewport: {width: 360, height: 740}},
];

/// Opens a page; whatever it writes to the console or asks of the network is a fault.
async function open(name, options = {}) {
  const context = await browser.newContext({bypassCSP: true, ...options});
  const page = await context.newPage();
  const faults = [];
  page.on('console', message => faults.push(`console: ${message.text()}`));
  page.on('pageerror', error => faults.push(`error: ${error.message}`));
  page.on('dialog', dialog => { faults.push('a dialog'); dialog.dismiss(); });
  page.on('request', request => {
    if (!/^(file|data):/.test(request.url())) faults.push(`network: ${request.url()}`);
  });
  await page.goto(`file://${folder}/${name}.html`);
  return {page, faults, close: () => context.close()};
}

const tests = {
  async 'no error, no accessibility fault, nothing wider than the window'() {
    for (const name of ['report', 'good', 'masks', 'index'])
      for (const look of looks) {
        const {page, faults, close} = await open(name, look);
        await page.evaluate(() => {
          for (const part of document.querySelectorAll('details')) part.open = true;
          for (const part of document.querySelectorAll('article')) part.style.contentVisibility = 'visible';
        });
        await page.evaluate(axe);
        const {violations} = await page.evaluate(() => axe.run());
        assert.deepEqual(violations.map(each => `${each.id}: ${each.nodes[0].html}`), [], `${name}, ${look.name}`);
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wider <= 0, `${name}, ${look.name}: ${wider} px wider than the window`);
        assert.deepEqual(faults, []);
        await close();
      }
  },

  async 'many findings have no accessibility fault in any look'() {
    for (const look of looks) {
      const {page, faults, close} = await open('few', look);
      await page.evaluate(axe);
      const {violations} = await page.evaluate(() => axe.run());
      assert.deepEqual(violations.map(each => `${each.id}: ${each.nodes[0].html}`), [], look.name);
      assert.deepEqual(faults, []);
      await close();
    }
  },

  async 'the lane map shows what happened, on hover and in the table'() {
    const {page, close} = await open('report');
    const wrong = page.locator('.map rect.l3');
    assert.equal(await wrong.count(), 1);
    const title = await wrong.locator('title').textContent();
    const [, lane, actual] = title.match(/^repeat 1, lane (\d+), wrongly written: old 0, expected 0, actual (\S+)$/);
    assert.notEqual(actual, '0');
    const cells = await page.locator('.lanes tr.wrong td').allTextContents();
    assert.deepEqual(cells, ['1', lane, 'no', 'wrongly written', '0', '0', actual]);
    await close();
  },

  async 'the heat map has its numbers in the legend and in the table'() {
    const {page, close} = await open('report', {...looks[0], javaScriptEnabled: false});
    const heat = page.locator('svg.heat').first();
    assert.ok(await heat.isVisible());
    assert.match(await heat.locator('title').first().textContent(), /^Where elements of dst differ, counted in \d+ of \d+ cases/);
    assert.ok(await heat.locator('path.h5').count() > 0);
    assert.ok(await page.locator('.keys li', {hasText: /^up to \d+%$/}).count() >= 5);
    await page.locator('summary', {hasText: 'The heat map as a table'}).first().click();
    assert.ok(await page.locator('td', {hasText: /^repeat 1$/}).first().isVisible());
    await close();
  },

  async 'hostile names stay text'() {
    const {page, faults, close} = await open('many');
    assert.equal(await page.locator('dd').first().textContent(), `<script>alert(1)</script>"&'`);
    assert.equal(await page.locator('script').count(), 1);
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.locator('li b').count(), 0);
    assert.deepEqual(faults, []);
    await close();
  },

  async 'search and filter work, and take under 100 ms on 10,000 findings'() {
    const {page, faults, close} = await open('many', looks[0]);
    const shown = () => page.locator('.index:not([hidden]) li:not([hidden])').count();
    assert.equal(await shown(), 10000);
    await page.locator('input[type=search]').focus();  // reads the texts, as a user's click does
    const times = [];
    for (const [text, left] of [['gate-1234', 1], ['ADVANCES 7777', 1], ['GATE-99', 111], ['', 10000]]) {
      times.push(await page.evaluate(([value, others]) => {
        const search = document.querySelector('input[type=search]');
        const seconds = others.map(other => {  // the best of three: the machine may be busy
          search.value = other;
          search.dispatchEvent(new Event('input'));
          document.body.getBoundingClientRect();
          search.value = value;
          const begin = performance.now();
          search.dispatchEvent(new Event('input'));
          document.body.getBoundingClientRect();  // the layout too
          return performance.now() - begin;
        });
        return Math.min(...seconds);
      }, [text, ['gate-55', 'gate-5', 'gate-555']]));
      assert.equal(await shown(), left, text);
    }
    assert.equal(await page.locator('.status').textContent(), '10,000 of 10,000 findings shown');
    await page.locator('input[value=mask]').uncheck();
    assert.equal(await shown(), 7500);
    assert.ok(await page.locator('article').first().isHidden(), 'the filter hides the full findings too');
    console.log(`  filter: ${times.map(time => time.toFixed(0)).join(', ')} ms`);
    assert.ok(Math.max(...times) < 100, `${times}`);
    assert.deepEqual(faults, []);
    await close();
  },

  async 'the first paint of 10,000 findings comes within a second'() {
    const {page, close} = await open('many', looks[0]);
    const paint = await page.evaluate(async () => {
      while (performance.getEntriesByName('first-contentful-paint').length === 0)
        await new Promise(done => setTimeout(done, 20));
      return performance.getEntriesByName('first-contentful-paint')[0].startTime;
    });
    console.log(`  first paint: ${paint.toFixed(0)} ms`);
    assert.ok(paint < 1000, `${paint}`);
    await close();
  },

  async 'the button copies the exact command, by keyboard too'() {
    const {page, close} = await open('report', {permissions: ['clipboard-read', 'clipboard-write']});
    await page.locator('article .command button').focus();
    await page.keyboard.press('Enter');
    await page.locator('article .command button', {hasText: 'Copied'}).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()),
                 'lanecheck run --backend wrong:mask-advances --profile vmc --seed 2 --cases 1 --first 1');
    await close();
  },

  async 'a permanent link leads to its finding'() {
    const {page, close} = await open('many', looks[0]);
    await page.goto(`file://${folder}/many.html#finding-measured-gate-9999`);
    const place = await page.waitForFunction(() => {
      const y = document.getElementById('finding-measured-gate-9999').getBoundingClientRect().y;
      return y >= 0 && y < innerHeight;
    }, null, {timeout: 3000});
    assert.ok(await place.jsonValue());
    await close();
  },

  async 'without scripts everything can be read, and nothing is shown that needs them'() {
    const {page, faults, close} = await open('many', {...looks[0], javaScriptEnabled: false});
    assert.match(await page.locator('h1').innerText(), /^Diverges/);
    assert.ok(await page.locator('article .map').first().isVisible());
    assert.ok(await page.locator('article pre', {hasText: 'lanecheck run'}).first().isVisible());
    assert.ok(await page.locator('.tools').isHidden());
    assert.equal(await page.locator('button').count(), 0);
    await page.locator('article summary').first().click();
    assert.ok(await page.locator('article details').first().locator('> :not(summary)').first().isVisible());
    assert.deepEqual(faults, []);
    await close();
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`passed: ${name}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED: ${name}\n  ${String(error.message).slice(0, 1500)}`);
  }
}
if (shots)
  for (const name of ['report', 'few', 'many', 'good'])
    for (const look of looks) {
      const {page, close} = await open(name, look);
      await page.setViewportSize({width: look.viewport.width, height: 2200});
      await page.screenshot({path: `${shots}/${name}-${look.name}.png`});
      await close();
    }
await browser.close();
process.exit(failed > 0 ? 1 : 0);
