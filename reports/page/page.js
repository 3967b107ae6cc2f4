'use strict';
document.documentElement.classList.add('js');
// Filters: the findings that match the search and the chosen subjects stay.
const tools = document.querySelector('#findings .tools');
if (tools) {
  const search = tools.querySelector('input[type=search]');
  const boxes = [...tools.querySelectorAll('input[type=checkbox]')];
  const lists = [...document.querySelectorAll('.index')];
  const status = tools.querySelector('.status');
  const all = new Map();  // anchor of a finding: what shows it, its subject, its text
  for (const part of document.querySelectorAll('[data-finding]')) {
    const entry = all.get(part.dataset.finding) || {parts: [], subject: part.dataset.subject, text: ''};
    entry.parts.push(part);
    all.set(part.dataset.finding, entry);
  }
  let read = false;
  const readTexts = () => {
    if (read) return;
    read = true;
    for (const entry of all.values())
      entry.text = entry.parts.map(part => part.dataset.text || part.textContent).join(' ').toLowerCase();
  };
  const filter = () => {
    readTexts();
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = new Set(boxes.filter(box => box.checked).map(box => box.value));
    let shown = 0;
    const rows = new Map(lists.map(list => [list, 0]));  // how many rows of each list stay
    for (const entry of all.values()) {
      entry.stays = (boxes.length === 0 || chosen.has(entry.subject)) && words.every(word => entry.text.includes(word));
      if (entry.stays) ++shown;
      for (const {parentElement: list} of entry.parts)
        if (entry.stays && rows.has(list)) rows.set(list, rows.get(list) + 1);
    }
    for (const entry of all.values())
      for (const part of entry.parts)  // a list without rows that stay is hidden as a whole
        if (part.hidden === entry.stays && rows.get(part.parentElement) !== 0) part.hidden = !entry.stays;
    for (const [list, count] of rows) {
      if (list.hidden !== (count === 0)) list.hidden = count === 0;
      list.style.setProperty('--rows', count);
    }
    status.textContent = `${shown.toLocaleString('en')} of ${all.size.toLocaleString('en')} findings shown`;
  };
  tools.addEventListener('submit', event => event.preventDefault());
  search.addEventListener('focus', readTexts);
  search.addEventListener('input', filter);
  for (const box of boxes) box.addEventListener('change', filter);
}
// A button beside each command copies it.
const copy = async text => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {  // an old browser, or no permission
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    if (!copied) throw new Error('not copied');
  }
};
for (const command of document.querySelectorAll('.command')) {
  const button = document.createElement('button');
  const name = button.textContent = 'Copy';
  button.type = 'button';
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', () => {
    copy(command.querySelector('code').textContent)
        .then(() => { button.textContent = 'Copied'; }, () => { button.textContent = 'Not copied'; })
        .then(() => setTimeout(() => { button.textContent = name; }, 2000));
  });
  command.append(button);
}
