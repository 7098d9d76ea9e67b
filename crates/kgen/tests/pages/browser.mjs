// Opens the page in Chromium and checks what only a browser can tell. Prints one line per check and exits with 1 if one fails.
// Arguments: the page, the folder with playwright-core and axe-core, the browser, the folder for screenshots.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [file, modules, executablePath, pictures] = process.argv.slice(2);
const require = createRequire(modules + '/');
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const address = pathToFileURL(file).href;
let failed = 0;
const check = (name, truth, detail) => {
  if (!truth) failed += 1;
  console.log((truth ? 'ok ' : 'FAILED ') + name + (truth || detail === undefined ? '' : ': ' + JSON.stringify(detail)));
};

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const open = async (options, hash = '') => {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const requests = [], errors = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => { if (message.type() === 'error') errors.push(message.text()); });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('dialog', (dialog) => { errors.push('dialog'); dialog.dismiss(); });
  await page.goto(address + hash);
  return { context, page, requests, errors };
};
const desktop = { viewport: { width: 1280, height: 900 } };

{
  const { context, page, requests, errors } = await open(desktop);
  check('makes no requests', requests.length === 1, requests);
  check('the first section is the overview', await page.isVisible('#overview') && !(await page.isVisible('section.kind')));
  check('a script in documentation is text', (await page.textContent('body')).includes('<script>alert(1)</script>'));
  await page.screenshot({ path: pictures + '/desktop.png', fullPage: true });

  // Typing focuses the search box, and the first result is the right one.
  const queries = {
    size: 'spec.size', color: 'spec.color', low: 'spec.low', high: 'spec.high', owner: 'spec.owner', volume: 'spec.volume',
    oldSize: 'spec.oldSize', old: 'spec.oldSize', sources: 'spec.sources', 'sources name': 'spec.sources[].name',
    target: 'spec.target', 'target.port': 'spec.target.port', heat: 'spec.heat', gas: 'spec.heat.gas',
    watts: 'spec.heat.electric.watts', lumen: 'spec.signal.lumen', hing: 'spec.lid.hinges', marks: 'spec.marks',
    'goes tea': 'spec.target', conditions: 'status.conditions', Kettle: 'Kettle', riddle: 'Riddle',
  };
  for (const [query, path] of Object.entries(queries)) {
    await page.fill('#query', query);
    const first = await page.evaluate(() => document.querySelector('#results li')?.firstChild.textContent);
    check('search ' + query, first === path, first);
  }
  await page.fill('#query', '');
  await page.evaluate(() => document.activeElement.blur());

  // The keyboard alone.
  await page.keyboard.press('/');
  check('/ focuses the search', await page.evaluate(() => document.activeElement.id === 'query'));
  await page.keyboard.type('watts');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  check('Enter opens a result', decodeURIComponent(new URL(page.url()).hash).endsWith('/Kettle/spec.heat.electric.watts'), page.url());
  // The browser tells the page about a new address a moment later.
  await page.waitForSelector('details.field.target');
  check('the result is visible', await page.isVisible('details.field.target'));
  check('the result has the focus', await page.evaluate(() => document.activeElement.closest('.target') !== null));
  const before = await page.evaluate(() => document.activeElement.parentElement.open);
  await page.keyboard.press('Enter');
  check('Enter on a field toggles it', (await page.evaluate(() => document.activeElement.parentElement.open)) !== before);
  await page.keyboard.press('Escape');

  await page.click('section.open button[data-do=expand]');
  check('expand all', await page.evaluate(() => [...document.querySelectorAll('section.open details')].every((one) => one.open)));
  await page.click('section.open button[data-do=required]');
  check('required only', !(await page.isVisible('[id$="/v1/Kettle/spec.owner"]')) && await page.isVisible('[id$="/v1/Kettle/spec.size"]'));
  check('no errors on the console', errors.length === 0, errors);
  await context.close();
}
{
  const { context, page } = await open(desktop, '#tea.example.org/v1/Kettle/spec.heat.gas.pressure');
  check('a deep link opens its field', await page.isVisible('[id$="spec.heat.gas.pressure"] > .body'));
  await page.goto(address + '#tea.example.org/v1beta1...v1/Kettle');
  await page.waitForSelector('tr.added');
  check('versions are side by side', await page.isVisible('tr.added') && await page.isVisible('tr.removed') && await page.isVisible('tr.changed'));
  await page.screenshot({ path: pictures + '/versions.png', fullPage: true });
  await context.close();
}
{
  const { context, page } = await open({ ...desktop, javaScriptEnabled: false });
  const field = page.locator('[id$="/v1/Kettle/spec.lid"]');
  await field.locator('> summary').click();
  check('the tree opens without script', await page.isVisible('[id$="/v1/Kettle/spec.lid.open"]'));
  await context.close();
}
for (const colorScheme of ['light', 'dark']) {
  const { context, page } = await open({ ...desktop, colorScheme, bypassCSP: true }, '#tea.example.org/v1/Kettle');
  await page.evaluate(() => document.querySelectorAll('details').forEach((one) => { one.open = true; }));
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  check('axe, ' + colorScheme, violations.length === 0, violations.map((one) => [one.id, one.nodes.slice(0, 2).map((node) => node.html)]));
  for (const id of ['overview', 'tea.example.org/v1beta1...v1/Kettle']) {
    await page.evaluate((id) => { location.hash = '#' + id; }, id);
    await page.waitForSelector('[id="' + id + '"].open');
    const { violations } = await page.evaluate(() => window.axe.run());
    check('axe, ' + colorScheme + ', ' + id, violations.length === 0, violations.map((one) => [one.id, one.nodes.slice(0, 2).map((node) => node.html)]));
  }
  await page.screenshot({ path: pictures + '/' + colorScheme + '.png', fullPage: true });
  await context.close();
}
{
  const { context, page } = await open({ viewport: { width: 320, height: 640 }, isMobile: true }, '#tea.example.org/v1/Kettle');
  check('the list of kinds is closed on phones', !(await page.evaluate(() => document.querySelector('nav > details').open)));
  await page.evaluate(() => document.querySelectorAll('details').forEach((one) => { one.open = true; }));
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  check('fits into 320 pixels', width <= 320, width);
  await page.screenshot({ path: pictures + '/phone.png', fullPage: false });
  await context.close();
}
{
  // Everything is open: each link is beside its own field, and paper has no controls.
  const { context, page } = await open(desktop, '#tea.example.org/v1/Kettle');
  await page.evaluate(() => document.querySelectorAll('details').forEach((one) => { one.open = true; }));
  const strayed = await page.evaluate(() => [...document.querySelectorAll('.field > .body > .anchor')].filter((anchor) => {
    const [link, line] = [anchor.getBoundingClientRect(), anchor.closest('.field').firstElementChild.getBoundingClientRect()];
    return link.height > 0 && (link.top < line.top - 1 || link.bottom > line.bottom + 1);
  }).map((anchor) => anchor.getAttribute('href')));
  check('links are beside their fields', strayed.length === 0, strayed);
  await page.emulateMedia({ media: 'print' });
  const visible = await page.evaluate(() => ['header', 'nav', '.controls button', '.sample button']
    .filter((name) => [...document.querySelectorAll(name)].some((one) => one.getClientRects().length > 0)));
  check('paper has no controls', visible.length === 0, visible);
  await context.close();
}
{
  // The keyboard alone reaches everything, and what it reaches is visible.
  const { context, page } = await open(desktop, '#tea.example.org/v1/Kettle');
  const seen = new Set();
  let hidden = null;
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const one = await page.evaluate(() => {
      const focused = document.activeElement;
      const box = focused.getBoundingClientRect();
      const style = getComputedStyle(focused);
      const isMarked = style.outlineStyle !== 'none' || style.boxShadow !== 'none';
      return { tag: focused.tagName, shown: box.width > 0 && box.height > 0 && isMarked, text: focused.textContent.slice(0, 40) };
    });
    seen.add(one.tag);
    if (one.tag !== 'BODY' && !one.shown && hidden === null) hidden = one;
  }
  for (const tag of ['INPUT', 'A', 'BUTTON', 'SUMMARY']) check('Tab reaches ' + tag, seen.has(tag), [...seen]);
  check('the focus is visible', hidden === null, hidden);
  await context.close();
}
{
  // Addresses that name nothing on the page, and the link that skips the header.
  const { context, page, errors } = await open(desktop, '#tea.example.org/v1/Kettle/spec.heat.gone.deep');
  check('a field that is gone leads to the object around it', await page.isVisible('[id$="/v1/Kettle/spec.heat"].target'));
  check('and the page says so', (await page.textContent('#status')).includes('spec.heat.gone.deep'));
  await page.evaluate(() => document.querySelector('.skip').click());
  check('the skip link stays in its section', await page.isVisible('[id="tea.example.org/v1/Kettle"]'));
  for (const wrong of ['#%', '#query', '#nothing']) {
    await page.goto('about:blank');
    await page.goto(address + wrong);
    check('the page survives ' + wrong, await page.isVisible('main > section.open'));
  }
  check('without errors', errors.length === 0, errors);
  await context.close();
}
{
  // The same field in another version, the marks of a search, and a field that is required only inside an optional one.
  const { context, page } = await open(desktop, '#tea.example.org/v1/Kettle/spec.size');
  await page.click('section.open .versions a[data-version$="/v1beta1/Kettle"]');
  await page.waitForSelector('[id="tea.example.org/v1beta1/Kettle/spec.size"].target');
  check('another version shows the same field', true);
  await page.goto(address + '#tea.example.org/v1/Kettle');
  await page.waitForSelector('[id="tea.example.org/v1/Kettle"].open');
  check('leaves are open, and objects have a line about them', await page.isVisible('[id$="/v1/Kettle/spec.size"] > .body')
    && await page.isVisible('[id$="/v1/Kettle/spec.lid"] .brief') && !(await page.isVisible('[id$="/v1/Kettle/spec.lid.open"]')));
  await page.click('section.open button[data-do=required]');
  await page.fill('#query', 'watts');
  check('a search marks its words', (await page.textContent('#results li mark')) === 'watts');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.target');
  check('a result that was hidden is visible', await page.isVisible('[id$="spec.heat.electric.watts"] > summary'));
  await page.fill('#query', 'zzzz');
  check('no result is said', (await page.textContent('#status')) === 'No results');
  await page.keyboard.press('Escape');
  await page.focus('section.open details summary');
  await page.keyboard.press('w');
  check('typing on a field starts a search', (await page.inputValue('#query')) === 'w');
  await context.close();
}
{
  // On paper, everything is open.
  const { context, page } = await open(desktop, '#tea.example.org/v1/Kettle');
  const isAllOpen = () => page.evaluate(() => [...document.querySelectorAll('main details')].every((one) => one.open));
  const before = await isAllOpen();
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  check('paper has everything', !before && await isAllOpen());
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  check('the screen is as before', !(await isAllOpen()));
  await context.close();
}
{
  // Ten thousand fields.
  const { context, page } = await open(desktop);
  const time = await page.evaluate(() => {
    const section = document.querySelector('section.kind');
    const one = section.querySelector('details.field');
    for (let index = 0; index < 10000; index += 1) {
      const copy = one.cloneNode(false);
      copy.dataset.path = 'spec.field' + index; copy.dataset.name = 'field' + index; copy.id = 'x/v1/X/spec.field' + index;
      copy.innerHTML = '<summary>field</summary><div class="body">Some text about the field number ' + index + '.</div>';
      section.append(copy);
    }
    const script = document.querySelector('body > script').textContent;
    const fresh = document.createElement('script');
    fresh.textContent = script;
    document.body.append(fresh);
    const input = document.getElementById('query');
    const times = [];
    for (const query of ['field99', 'text number', 'zzz', 'f', 'size']) {
      input.value = query;
      const start = performance.now();
      input.dispatchEvent(new Event('input'));
      times.push(performance.now() - start);
    }
    return Math.max(...times);
  });
  // Two handlers answer here, the first of them with the small index. The limit of 50 ms is for a machine without other work,
  // so the time is only shown.
  console.log('a search among 10,000 fields takes ' + time.toFixed(1) + ' ms');
  await context.close();
}
await browser.close();
process.exit(failed ? 1 : 0);
