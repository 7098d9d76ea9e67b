'use strict';
(() => {
  const root = document.documentElement;
  root.classList.add('js');
  const all = (query, from) => [...(from || document).querySelectorAll(query)];
  const sections = all('section.kind, section.compare');
  const status = document.getElementById('status');

  // Shows the section of the address, and opens the way to its field.
  const go = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const found = id && document.getElementById(id);
    const section = (found && found.closest('section')) || sections[0];
    for (const other of sections) other.classList.toggle('open', other === section);
    for (const link of all('nav a')) {
      const is = section && link.hash === '#' + section.id;
      if (is) link.setAttribute('aria-current', 'page'); else link.removeAttribute('aria-current');
    }
    all('.field.target').forEach((field) => field.classList.remove('target'));
    if (!found) return;
    for (let at = found; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    if (found.classList.contains('field')) {
      found.classList.add('target');
      found.classList.remove('optional');
      const focus = found.querySelector('summary') || found;
      focus.focus({ preventScroll: true });
    }
    found.scrollIntoView({ block: 'start' });
  };
  addEventListener('hashchange', go);
  go();

  // The index: one entry per field and kind, from the page itself.
  const entries = all('[data-path]').map((node) => {
    const text = node.querySelector(':scope > .body, :scope > .description');
    const name = node.dataset.name;
    return {
      id: node.id, name, label: node.dataset.path, lower: name.toLowerCase(),
      path: node.dataset.path.toLowerCase(), depth: node.dataset.path.split('.').length,
      text: text ? text.textContent.trim().replace(/\s+/g, ' ') : '',
      place: node.id.split('/').slice(0, 3).join('/'),
    };
  });
  for (const entry of entries) entry.search = entry.text.toLowerCase();

  const rank = (entry, word) => {
    if (entry.lower === word) return 0;
    if (entry.path === word || entry.path.endsWith('.' + word)) return 1;
    if (entry.lower.startsWith(word)) return 2;
    if (entry.lower.includes(word)) return 3;
    if (entry.path.includes(word)) return 4;
    if (entry.search.startsWith(word) || entry.search.includes(' ' + word)) return 5;
    return entry.search.includes(word) ? 6 : -1;
  };
  const find = (query) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    const found = [];
    entries.forEach((entry, index) => {
      let sum = 0;
      for (const word of words) {
        const own = rank(entry, word);
        if (own < 0) return;
        sum += own;
      }
      found.push([sum, entry.depth, index, entry]);
    });
    found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
    return found.slice(0, 30).map((one) => one[3]);
  };

  const input = document.getElementById('query');
  const list = document.getElementById('results');
  let selected = -1;
  const close = () => {
    list.hidden = true;
    list.replaceChildren();
    selected = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const select = (index, scrolls) => {
    const items = [...list.children];
    if (!items.length) return;
    selected = (index + items.length) % items.length;
    items.forEach((item, at) => item.setAttribute('aria-selected', String(at === selected)));
    input.setAttribute('aria-activedescendant', items[selected].id);
    if (scrolls) items[selected].scrollIntoView({ block: 'nearest' });
  };
  const choose = (item) => {
    close();
    input.value = '';
    const hash = '#' + item.dataset.target;
    if (decodeURIComponent(location.hash) === hash) go(); else location.hash = hash;
  };
  input.addEventListener('input', () => {
    const found = find(input.value);
    close();
    found.forEach((entry, index) => {
      const item = document.createElement('li');
      item.id = 'result-' + index;
      item.setAttribute('role', 'option');
      item.dataset.target = entry.id;
      item.append(entry.label + ' ');
      const small = document.createElement('small');
      small.textContent = entry.place + (entry.text ? ' · ' + entry.text : '');
      item.append(small);
      item.addEventListener('mousedown', (event) => { event.preventDefault(); choose(item); });
      list.append(item);
    });
    list.hidden = !found.length;
    input.setAttribute('aria-expanded', String(found.length > 0));
    status.textContent = input.value ? found.length + ' results' : '';
    if (found.length) select(0);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') select(selected + 1, true);
    else if (event.key === 'ArrowUp') select(selected - 1, true);
    else if (event.key === 'Enter' && list.children[selected]) choose(list.children[selected]);
    else if (event.key === 'Escape') { close(); input.value = ''; } else return;
    event.preventDefault();
  });
  input.addEventListener('blur', close);
  addEventListener('keydown', (event) => {
    const at = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || at.isContentEditable) return;
    if (['INPUT', 'TEXTAREA', 'SELECT'].includes(at.tagName)) return;
    if (event.key === '/') { input.focus(); event.preventDefault(); return; }
    const is_word = event.key.length === 1 && event.key !== ' ';
    if (is_word && !['BUTTON', 'SUMMARY', 'A'].includes(at.tagName)) input.focus();
  });

  for (const button of all('button[data-do]')) {
    button.addEventListener('click', async () => {
      const section = button.closest('section');
      if (button.dataset.do === 'expand') {
        const details = all('details', section);
        const open = details.some((one) => !one.open);
        details.forEach((one) => { one.open = open; });
        button.textContent = open ? 'Collapse all' : 'Expand all';
      } else if (button.dataset.do === 'required') {
        const only = section.classList.toggle('only-required');
        button.setAttribute('aria-pressed', String(only));
      } else {
        await navigator.clipboard.writeText(section.querySelector('.sample pre').textContent);
        status.textContent = 'Copied';
        button.textContent = 'Copied';
      }
    });
  }
  for (const choice of all('select[data-versions]')) {
    choice.addEventListener('change', () => { location.hash = '#' + choice.value; });
  }
})();
