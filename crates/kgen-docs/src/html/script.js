'use strict';
(() => {
  document.documentElement.classList.add('js');
  const all = (query, from) => [...(from || document).querySelectorAll(query)];
  const sections = all('main > section');
  const status = document.getElementById('status');
  const title = document.title;

  // The id in the address. An address that is not encoded well names nothing.
  const named = () => {
    try { return decodeURIComponent(location.hash.slice(1)); } catch { return ''; }
  };
  // The place with an id, or the nearest one around it: a field that is gone leads to the object that had it.
  const nearest = (id) => {
    for (let at = id; at; at = at.slice(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('/'), 0))) {
      const found = document.getElementById(at);
      if (found) return found;
    }
    return null;
  };

  // Shows the section of the address, and opens the way to its field.
  const go = () => {
    const id = named();
    const found = nearest(id);
    const around = found && found.closest('main > section');
    // The link that skips the header stays in its section.
    if (found && !around && sections.some((one) => one.classList.contains('open'))) return;
    const section = around || sections[0];
    if (!section) return;
    for (const other of sections) other.classList.toggle('open', other === section);
    for (const link of all('nav a.version')) {
      if (link.getAttribute('href') === '#' + section.id) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    document.title = section.getAttribute('aria-label') + ' · ' + title;
    status.textContent = found && found.id !== id ? id.slice(id.lastIndexOf('/') + 1) + ' is not on this page' : '';
    all('.field.target').forEach((field) => field.classList.remove('target'));
    if (!around) return;
    for (let at = found; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    if (found.classList.contains('field')) {
      found.classList.add('target');
      if (found.closest('.optional')) required(section, false);
      found.querySelector('summary').focus({ preventScroll: true });
    }
    if (found === section) scrollTo(0, 0); else found.scrollIntoView({ block: 'start' });
  };

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
    if (!entry.search.includes(word) && !entry.path.includes(word)) return -1;
    if (entry.lower === word) return 0;
    if (entry.path === word || entry.path.endsWith('.' + word)) return 1;
    if (entry.lower.startsWith(word)) return 2;
    if (entry.lower.includes(word)) return 3;
    if (entry.path.includes(word)) return 4;
    return entry.search.startsWith(word) || entry.search.includes(' ' + word) ? 5 : 6;
  };
  const wordsOf = (query) => query.toLowerCase().split(/\s+/).filter(Boolean);
  // Ranked by their words, then by their depth, then by their place on the page.
  const find = (words) => {
    const found = [];
    for (const entry of entries) {
      let sum = 0;
      for (const word of words) {
        const own = rank(entry, word);
        sum = own < 0 ? NaN : sum + own;
      }
      if (sum >= 0) (found[sum * 100 + Math.min(entry.depth, 99)] ||= []).push(entry);
    }
    return found.flat().slice(0, 30);
  };
  // Marks the first place of each word.
  const marked = (text, words) => {
    const parts = document.createElement('span');
    const lower = text.toLowerCase();
    let at = 0;
    const places = words.map((word) => [lower.indexOf(word), word.length]).filter((place) => place[0] >= 0);
    for (const [start, length] of places.sort((a, b) => a[0] - b[0])) {
      if (start < at) continue;
      const mark = document.createElement('mark');
      mark.textContent = text.slice(start, start + length);
      parts.append(text.slice(at, start), mark);
      at = start + length;
    }
    parts.append(text.slice(at));
    return parts;
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
  const visit = (id) => {
    if (named() === id) go(); else location.hash = '#' + id;
  };
  const choose = (item) => {
    close();
    input.value = '';
    visit(item.dataset.target);
  };
  input.addEventListener('input', () => {
    const words = wordsOf(input.value);
    const found = words.length ? find(words) : [];
    close();
    found.forEach((entry, index) => {
      const item = document.createElement('li');
      item.id = 'result-' + index;
      item.setAttribute('role', 'option');
      item.dataset.target = entry.id;
      const small = document.createElement('small');
      small.append(entry.place + (entry.text ? ' · ' : ''), marked(entry.text, words));
      item.append(marked(entry.label, words), small);
      item.addEventListener('mousedown', (event) => { event.preventDefault(); choose(item); });
      list.append(item);
    });
    list.hidden = !found.length;
    input.setAttribute('aria-expanded', String(found.length > 0));
    status.textContent = words.length ? (found.length || 'No') + (found.length === 1 ? ' result' : ' results') : '';
    if (found.length) select(0);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') select(selected + 1, true);
    else if (event.key === 'ArrowUp') select(selected - 1, true);
    else if (event.key === 'Enter' && list.children[selected]) choose(list.children[selected]);
    else if (event.key === 'Escape') { close(); input.value = status.textContent = ''; } else return;
    event.preventDefault();
  });
  input.addEventListener('blur', close);
  addEventListener('keydown', (event) => {
    const at = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || at.isContentEditable) return;
    if (['INPUT', 'TEXTAREA', 'SELECT'].includes(at.tagName)) return;
    if (event.key === '/') { input.focus(); event.preventDefault(); return; }
    if (event.key.length === 1 && event.key !== ' ' && at.tagName !== 'BUTTON') input.focus();
  });

  const required = (section, only) => {
    section.classList.toggle('only-required', only);
    all('button[data-do=required]', section).forEach((one) => one.setAttribute('aria-pressed', String(only)));
  };
  const copy = async (text, from) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    // Pages from a server without TLS have no clipboard.
    getSelection().selectAllChildren(from);
    document.execCommand('copy');
  };
  const actions = {
    expand: (section, button) => {
      const open = all('details:not(.leaf)', section).some((one) => !one.open);
      all(open ? 'details' : 'details:not(.leaf)', section).forEach((one) => { one.open = open; });
      button.textContent = open ? 'Collapse all' : 'Expand all';
    },
    required: (section) => required(section, !section.classList.contains('only-required')),
    copy: async (section, button) => {
      const sample = section.querySelector('.sample pre');
      await copy(sample.textContent, sample);
      status.textContent = button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy YAML'; }, 2000);
    },
  };
  for (const button of all('button[data-do]')) {
    button.addEventListener('click', () => actions[button.dataset.do](button.closest('section'), button));
  }
  // Another version of the kind shows the same field.
  for (const link of all('.versions a[data-version]')) {
    link.addEventListener('click', (event) => {
      const section = link.closest('section'), id = named();
      if (!id.startsWith(section.id + '/')) return;
      event.preventDefault();
      visit(link.dataset.version + id.slice(section.id.length));
    });
  }

  // The list of kinds is closed on phones, and everything is open on paper.
  const kinds = document.querySelector('nav > details');
  const narrow = matchMedia('(max-width: 48rem)');
  const fit = () => { kinds.open = !narrow.matches; };
  narrow.addEventListener('change', fit);
  kinds.addEventListener('click', (event) => { if (event.target.closest('a')) fit(); });
  fit();
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = all('main details:not([open])');
    closed.forEach((one) => { one.open = true; });
  });
  addEventListener('afterprint', () => closed.forEach((one) => { one.open = false; }));
  addEventListener('hashchange', go);
  go();
})();
