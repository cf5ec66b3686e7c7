// What the search page gains when scripts run: type-ahead, and keys. Without it the form and the links do their work.

const base = document.body.dataset.base ?? '';
const form = document.getElementById('search');
const field = document.getElementById('q');
const list = document.getElementById('suggestions');

// Type-ahead, after the combobox pattern of the ARIA Authoring Practices: focus stays in the field, the chosen option
// is named by aria-activedescendant.
const PAUSE_MS = 80;
let typed = field.value;
let shown = [];
let chosen = -1;
let asking = null;
let timer = 0;

field.setAttribute('role', 'combobox');
field.setAttribute('aria-autocomplete', 'list');
field.setAttribute('aria-controls', list.id);
field.setAttribute('aria-expanded', 'false');

function close() {
  clearTimeout(timer);
  asking?.abort();
  shown = [];
  chosen = -1;
  list.hidden = true;
  list.replaceChildren();
  field.setAttribute('aria-expanded', 'false');
  field.removeAttribute('aria-activedescendant');
}

function choose(next) {
  list.children[chosen]?.setAttribute('aria-selected', 'false');
  chosen = next;
  const option = list.children[chosen];
  if (option) {
    option.setAttribute('aria-selected', 'true');
    option.scrollIntoView({ block: 'nearest' });
    field.setAttribute('aria-activedescendant', option.id);
    field.value = shown[chosen];
  } else {
    field.removeAttribute('aria-activedescendant');
    field.value = typed;
  }
}

function show(suggestions) {
  shown = suggestions;
  chosen = -1;
  field.removeAttribute('aria-activedescendant');
  list.replaceChildren(
    ...suggestions.map((text, i) => {
      const option = document.createElement('div');
      option.id = `suggestion-${i}`;
      option.setAttribute('role', 'option');
      option.setAttribute('aria-selected', 'false');
      option.dir = 'auto';
      // What has been typed already stands back; only text nodes are made, so nothing in it can become a tag.
      const start = text.toLowerCase().startsWith(typed.trim().toLowerCase()) ? typed.trim().length : 0;
      if (start > 0) {
        const known = document.createElement('b');
        known.textContent = text.slice(0, start);
        option.append(known);
      }
      option.append(text.slice(start));
      return option;
    }),
  );
  list.hidden = suggestions.length === 0;
  field.setAttribute('aria-expanded', String(suggestions.length > 0));
}

async function ask() {
  const prefix = typed;
  asking?.abort();
  asking = new AbortController();
  try {
    const answer = await fetch(`${base}/api/suggest?q=${encodeURIComponent(prefix)}`, { signal: asking.signal });
    if (!answer.ok) return show([]);
    const { suggestions } = await answer.json();
    if (prefix === typed && document.activeElement === field) show(suggestions);
  } catch {
    // Overtaken by the next key, or the server is away: the field works on without suggestions.
  }
}

field.addEventListener('input', () => {
  typed = field.value;
  clearTimeout(timer);
  if (typed.trim() === '') close();
  else timer = setTimeout(ask, PAUSE_MS);
});

field.addEventListener('keydown', (event) => {
  if (event.isComposing) return;
  const open = !list.hidden;
  if (event.key === 'ArrowDown' && open) {
    event.preventDefault();
    choose(chosen + 1 >= shown.length ? -1 : chosen + 1);
  } else if (event.key === 'ArrowUp' && open) {
    event.preventDefault();
    choose(chosen < 0 ? shown.length - 1 : chosen - 1);
  } else if (event.key === 'ArrowDown') {
    const first = stops()[0];
    if (first) {
      event.preventDefault();
      first.focus();
    } else if (typed.trim() !== '') ask();
  } else if (event.key === 'Escape' && open) {
    event.preventDefault();
    choose(-1);
    close();
  }
});

// A press would take the focus from the field before the click arrives.
list.addEventListener('mousedown', (event) => event.preventDefault());
list.addEventListener('click', (event) => {
  const at = [...list.children].indexOf(event.target.closest('[role="option"]'));
  if (at < 0) return;
  field.value = shown[at];
  close();
  form.requestSubmit();
});
field.addEventListener('blur', close);
form.addEventListener('submit', close);

if (document.body.classList.contains('front')) field.focus();

// Where arrows stop: at the title of each hit, or where that leads nowhere at its first link.
const stops = () =>
  [...document.querySelectorAll('.hit')].flatMap((hit) => hit.querySelector('h2 a') ?? hit.querySelector('a') ?? []);

// Keys: "/" leads to the field, arrows walk the results.
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.key === '/' && !typing) {
    event.preventDefault();
    field.focus();
    field.select();
    return;
  }
  if (typing || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
  const links = stops();
  // From a link inside of a hit on to the next one; from a page that has just loaded, down to the first.
  const at = links.findIndex((link) => link.closest('.hit').contains(document.activeElement));
  if (links.length === 0 || (at < 0 && (event.key === 'ArrowUp' || document.activeElement !== document.body))) return;
  event.preventDefault();
  const next = links[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next) next.focus();
  else if (at === 0) field.focus();
});

// Wide screens show the facets open; where the style could not do that, they are opened here.
const facets = document.querySelector('.facets');
if (facets && matchMedia('(min-width: 46.01rem)').matches) facets.open = true;
