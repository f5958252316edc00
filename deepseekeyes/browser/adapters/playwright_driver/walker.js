() => {
  'use strict';
  // One registry per document. The page cannot reach it: it lives in a handle that only the driver holds.
  // Fields hide properties of their form behind their names, forms and pictures those of the document: the prototypes are asked.
  const own = (kind, name) => { const {get} = Object.getOwnPropertyDescriptor(kind.prototype, name); return (el) => get.call(el); };
  const method = (kind, name) => { const call = kind.prototype[name]; return (el, ...given) => call.apply(el, given); };
  const tagOf = own(Element, 'tagName'), kindOf = own(Node, 'nodeType'), shadowOf = own(Element, 'shadowRoot'), nodesOf = own(Node, 'childNodes');
  const connected = own(Node, 'isConnected'), countOf = own(Element, 'childElementCount'), slotOf = own(Element, 'assignedSlot');
  const parentOf = own(Node, 'parentNode'), outer = own(Node, 'parentElement'), isEditable = own(HTMLElement, 'isContentEditable');
  const attr = method(Element, 'getAttribute'), has = method(Element, 'hasAttribute'), matches = method(Element, 'matches');
  const rectOf = method(Element, 'getBoundingClientRect'), rectsOf = method(Element, 'getClientRects'), rootOf = method(Node, 'getRootNode');
  const seenOf = method(Element, 'checkVisibility'), scrollTo = method(Element, 'scrollIntoView'), closest = method(Element, 'closest');
  const titleIn = own(Document, 'title'), rootIn = own(Document, 'documentElement'), activeIn = own(Document, 'activeElement'), bodyIn = own(Document, 'body');
  const numbers = new WeakMap(), nodes = new Map(), guarded = new WeakSet(), watched = new WeakSet();
  let next = 1, changes = 0;
  const heard = window[Symbol.for('deepseekeyes.heard')];
  const observer = new MutationObserver(() => { changes++; });
  const watch = (root) => {
    if (watched.has(root)) return;
    watched.add(root);
    observer.observe(root, {subtree: true, childList: true, attributes: true, characterData: true});
  };
  watch(document);
  for (const kind of ['scroll', 'input', 'change']) document.addEventListener(kind, () => { changes++; }, {capture: true, passive: true});
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { caret-color: transparent !important; }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  } catch (refused) { /* A blinking caret is no more than a change of pixels. */ }
  const ROLES = new Set(('button link checkbox radio tab menuitem menuitemcheckbox menuitemradio option switch combobox ' +
    'textbox searchbox slider spinbutton treeitem').split(' '));
  const SKIP = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'HEAD', 'META', 'LINK', 'TITLE']);
  const squeeze = (text) => text.replace(/\s+/g, ' ').trim();
  const clip = (text, limit) => text.length > limit ? text.slice(0, limit - 1) + '…' : text;
  const number = (el) => {
    let n = numbers.get(el);
    if (n === undefined) { n = next++; numbers.set(el, n); nodes.set(n, new WeakRef(el)); }
    return n;
  };
  const node = (n) => { const found = nodes.get(n); const el = found && found.deref(); return el && connected(el) ? el : null; };
  const kids = (el) => {
    if (shadowOf(el)) { watch(shadowOf(el)); return shadowOf(el).childNodes; }
    if (tagOf(el) === 'SLOT') { const given = el.assignedNodes({flatten: true}); return given.length ? given : nodesOf(el); }
    return nodesOf(el);
  };
  const up = (el) => (el instanceof Element && slotOf(el)) || parentOf(el) || (el instanceof ShadowRoot ? el.host : null);
  const within = (outer, inner) => { for (let at = inner; at; at = up(at)) if (at === outer) return true; return false; };
  const typeOf = (el) => tagOf(el) === 'INPUT' ? (attr(el, 'type') || 'text').toLowerCase() : '';
  const isProtected = (el) => {
    if (guarded.has(el)) return true;
    const fill = (attr(el, 'autocomplete') || '').toLowerCase().split(/\s+/);
    const found = typeOf(el) === 'password' ||
      fill.some((word) => /^(current-password|new-password|one-time-code|cc-.*)$/.test(word));
    if (found) guarded.add(el);
    return found;
  };
  const editable = (el) => el instanceof HTMLElement && isEditable(el) && !(outer(el) instanceof HTMLElement && isEditable(outer(el)));
  const BUTTONS = new Set(['button', 'submit', 'reset', 'image']);
  const roleOf = (el) => {
    const given = (attr(el, 'role') || '').trim().split(/\s+/)[0];
    if (given) return given;
    const tag = tagOf(el);
    if (tag === 'A' || tag === 'AREA') return has(el, 'href') ? 'link' : 'generic';
    if (tag === 'BUTTON') return 'button';
    if (tag === 'SUMMARY') return 'button';
    if (tag === 'SELECT') return el.multiple || el.size > 1 ? 'listbox' : 'combobox';
    if (tag === 'TEXTAREA') return 'textbox';
    if (tag === 'OPTION') return 'option';
    if (tag === 'IFRAME' || tag === 'FRAME') return 'iframe';
    if (tag === 'INPUT') {
      const type = typeOf(el);
      if (BUTTONS.has(type)) return 'button';
      if (type === 'checkbox' || type === 'radio') return type;
      if (type === 'range') return 'slider';
      if (type === 'number') return 'spinbutton';
      if (type === 'search') return 'searchbox';
      if (type === 'file') return 'file';
      return 'textbox';
    }
    if (editable(el)) return 'textbox';
    if (/^H[1-6]$/.test(tag)) return 'heading';
    return 'generic';
  };
  const hasValue = (el) => tagOf(el) === 'TEXTAREA' || tagOf(el) === 'SELECT' ||
    (tagOf(el) === 'INPUT' && !BUTTONS.has(typeOf(el)) && !['checkbox', 'radio', 'file'].includes(typeOf(el)));
  const textOf = (el, limit) => {
    let out = '';
    const walk = (at) => {
      if (out.length > limit * 2) return;
      if (kindOf(at) === 3) { out += at.data; return; }
      if (kindOf(at) === 11) { nodesOf(at).forEach(walk); return; }
      if (kindOf(at) !== 1 || SKIP.has(tagOf(at)) || hasValue(at) || isProtected(at)) return;
      if (has(at, 'hidden') || attr(at, 'aria-hidden') === 'true') return;
      if (tagOf(at) === 'IMG') { out += ' ' + (at.alt || '') + ' '; return; }
      if (!seenOf(at)) return;
      for (const kid of kids(at)) walk(kid);
      if (getComputedStyle(at).display !== 'inline') out += ' ';
    };
    for (const kid of kids(el)) walk(kid);
    return clip(squeeze(out), limit);
  };
  const byIds = (el, ids) => squeeze(ids.split(/\s+/).map((id) => {
    const found = id && rootOf(el).getElementById && rootOf(el).getElementById(id);
    return found ? textOf(found, 240) : '';
  }).join(' '));
  // A control's own list of labels looks through the whole document; during a look all of them are found once.
  let byControl = null;
  const labelsOf = (el) => {
    if (el instanceof HTMLFormElement || !el.labels) return [];
    if (!byControl) return [...el.labels];
    const root = rootOf(el);
    if (!byControl.has(root)) {
      const found = new Map();
      for (const label of root.querySelectorAll('label')) if (label.control) found.set(label.control, [...found.get(label.control) || [], label]);
      byControl.set(root, found);
    }
    return byControl.get(root).get(el) || [];
  };
  const nameOf = (el) => {
    const labelled = attr(el, 'aria-labelledby');
    const first = (...makers) => { for (const make of makers) { const got = squeeze(make() || ''); if (got) return clip(got, 240); } return ''; };
    return first(
      () => labelled && byIds(el, labelled), () => attr(el, 'aria-label'),
      () => labelsOf(el).map((label) => textOf(label, 240)).join(' '),
      () => tagOf(el) === 'INPUT' && BUTTONS.has(typeOf(el)) ? el.value || el.alt || typeOf(el) : '',
      () => attr(el, 'alt'),
      () => hasValue(el) || editable(el) || isProtected(el) || tagOf(el) === 'IFRAME' ? '' : textOf(el, 240),
      () => attr(el, 'title'), () => attr(el, 'placeholder'), () => attr(el, 'aria-placeholder'),
      () => tagOf(el) === 'IFRAME' ? attr(el, 'name') : '');
  };
  const shown = (el) => seenOf(el, {opacityProperty: true, visibilityProperty: true});
  const boxOf = (el) => { const r = rectOf(el); return [r.x, r.y, r.width, r.height]; };
  // A control that is painted by its label: invisible itself, used through the label.
  const stand = (el) => {
    const type = typeOf(el);
    if (type !== 'checkbox' && type !== 'radio') return el;
    const r = rectOf(el);
    if (shown(el) && r.width > 1 && r.height > 1) return el;
    for (const label of labelsOf(el)) { const box = rectOf(label); if (shown(label) && box.width > 1 && box.height > 1) return label; }
    return el;
  };
  const interactive = (el, pointer) => {
    const tag = tagOf(el);
    if ((tag === 'A' || tag === 'AREA') && has(el, 'href')) return true;
    if (tag === 'BUTTON' || tag === 'SELECT' || tag === 'TEXTAREA' || tag === 'SUMMARY' || tag === 'IFRAME') return true;
    if (tag === 'INPUT') return typeOf(el) !== 'hidden';
    if (editable(el)) return true;
    if (ROLES.has(roleOf(el))) return true;
    const tab = attr(el, 'tabindex');
    if (tab !== null && tab !== '-1') return true;
    if (has(el, 'onclick') || (!(el instanceof HTMLFormElement) && typeof el.onclick === 'function')) return el !== bodyIn(document) && el !== rootIn(document);
    if (heard && heard.has(el) && el !== bodyIn(document) && el !== rootIn(document) && countOf(el) < 40) return true;
    return pointer;
  };
  const usable = (el) => !(matches(el, ':disabled') || attr(el, 'aria-disabled') === 'true');
  const flags = (el, record) => {
    const tag = tagOf(el), type = typeOf(el);
    if (type) record.type = type;
    if (tag === 'A' && el.href) record.href = el.href;
    if (type === 'checkbox' || type === 'radio') record.checked = el.checked;
    else if (has(el, 'aria-checked')) record.checked = attr(el, 'aria-checked') === 'true';
    if (type === 'checkbox' && el.indeterminate) record.mixed = true;
    for (const name of ['expanded', 'selected', 'pressed']) if (has(el, 'aria-' + name)) record[name] = attr(el, 'aria-' + name) === 'true';
    if (tag === 'OPTION') record.selected = el.selected;
    record.enabled = usable(el);
    if (hasValue(el) || editable(el)) record.editable = record.enabled && !el.readOnly;
    if (el.required) record.required = true;
    if (attr(el, 'aria-invalid') === 'true') record.invalid = true;
    if (type === 'file') record.files = [...el.files].map((file) => file.name);
    let active = activeIn(document);
    while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
    if (active === el && document.hasFocus()) record.focused = true;
  };
  const valueOf = (el) => {
    if (tagOf(el) === 'SELECT') return [...el.selectedOptions].map((option) => squeeze(option.label)).join(', ');
    if (hasValue(el)) return el.value;
    if (editable(el)) return el.innerText;
    return null;
  };
  const describe = (el, limit) => {
    const role = roleOf(el), guard = isProtected(el);
    const record = {n: number(el), tag: tagOf(el).toLowerCase(), role, name: nameOf(el), protected: guard};
    const mark = attr(el, 'id') || attr(el, 'name');
    if (mark) record.mark = clip(mark, 80);
    flags(el, record);
    if (!guard) { const value = valueOf(el); if (value !== null) record.value = clip(value, limit); }
    if (tagOf(el) === 'SELECT') {
      record.options = [...el.options].slice(0, 100).map((option) => clip(squeeze(option.label), 80));
      if (el.options.length > 100) record.optionsOmitted = el.options.length - 100;
    }
    const by = stand(el);
    record.box = boxOf(by);
    const r = rectOf(by);
    record.inViewport = r.bottom > 0 && r.right > 0 && r.top < innerHeight && r.left < innerWidth;
    return record;
  };
  let spoken = [[], []];
  const saidAt = (pieces) => pieces.flatMap((index) => {
    const range = document.createRange();
    if (!spoken[1][index]) return [];
    range.selectNodeContents(spoken[1][index]);
    return [...range.getClientRects()].map((r) => [r.x, r.y, r.width, r.height]);
  });
  const now = performance.now.bind(performance);
  const collect = (given) => {
    byControl = new Map();
    try { return collected(given); } finally { byControl = null; }
  };
  const collected = ({valueChars, textChars, most, start, budgetMs}) => {
    const elements = [], masks = [], frames = [];
    const pieces = [], sayers = [];
    spoken = [pieces, sayers];
    let chars = 0, last = '', total = 0, textCut = 0, painted = 0;
    // Pieces are joined once, at the end: looking at the end of a growing text copies all of it every time.
    const say = (piece, sayer = null) => {
      if (chars + piece.length > textChars) { textCut += piece.length; return; }
      chars += piece.length; last = piece[piece.length - 1]; pieces.push(piece); sayers.push(sayer);
    };
    const breakLine = () => { if (chars && last !== '\n') say('\n'); };
    const end = now() + budgetMs;
    let visited = 0, late = false;
    const visit = (at, pointerAbove) => {
      if (late || (++visited % 64 === 0 && (late = now() > end))) return;
      if (kindOf(at) === 3) {
        const words = at.data.replace(/\s+/g, ' ');
        if (words && words !== ' ') say(words, at);
        else if (words && chars && !/\s/.test(last)) say(' ');
        return;
      }
      if (kindOf(at) !== 1 || SKIP.has(tagOf(at))) return;
      const style = getComputedStyle(at);
      const type = typeOf(at);
      if (style.display === 'none' && type !== 'file') return;
      const visible = shown(at), box = rectOf(at), sized = box.width > 0 && box.height > 0;
      const pointer = style.cursor === 'pointer';
      const by = stand(at);
      const usable = (visible && sized) || by !== at || type === 'file';
      if (visible && sized) painted++;
      const block = style.display !== 'inline' && style.display !== 'contents';
      if (block) breakLine();
      const guard = isProtected(at);
      if (guard && visible && sized) { masks.push(boxOf(at)); number(at); }
      if (usable && interactive(at, pointer && !pointerAbove)) {
        total++;
        const seen = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
        // What is in sight is listed even when there is no room for what stands before it.
        if (elements.length < (seen ? most * 1.2 : most)) elements.push(describe(at, valueChars));
        if (tagOf(at) === 'IFRAME' || tagOf(at) === 'FRAME') {
          const place = boxOf(at), css = style;
          frames.push({n: number(at), at: elements.length, x: place[0] + at.clientLeft + parseFloat(css.paddingLeft || 0),
            y: place[1] + at.clientTop + parseFloat(css.paddingTop || 0)});
          return;
        }
      }
      if (!guard && !hasValue(at) && visible) for (const kid of kids(at)) visit(kid, pointerAbove || pointer);
      else if (!visible && !guard) for (const kid of kids(at)) if (kindOf(kid) === 1 && style.opacity !== '0') visit(kid, pointerAbove);
      if (block) breakLine();
    };
    const root = start ? node(start) : rootIn(document);
    if (!root) return null;
    visit(root, false);
    return {elements, masks, frames, total, text: pieces.join('').replace(/ *\n */g, '\n').trim(), textCut, painted, changes, late,
      url: location.href, title: titleIn(document), focus: document.hasFocus(),
      viewport: [innerWidth, innerHeight, devicePixelRatio], scroll: [scrollX, scrollY],
      size: [rootIn(document).scrollWidth, rootIn(document).scrollHeight]};
  };
  const deepest = (x, y) => {
    let root = document, found = null;
    for (;;) {
      const top = root.elementFromPoint(x, y);
      if (!top || top === found) return found;
      found = top;
      if (!shadowOf(top)) return found;
      root = shadowOf(top);
    }
  };
  const allows = (el, top) => {
    if (!top) return false;
    if (within(el, top)) return true;
    const label = closest(top, 'label');
    return !!(label && label.control === el);
  };
  const told = (el) => el ? {role: roleOf(el), name: clip(nameOf(el) || textOf(el, 80), 80), tag: tagOf(el).toLowerCase(),
    mark: clip(attr(el, 'id') || '', 80), n: number(el)} : null;
  const scrolled = (n) => {
    const el = node(n);
    if (!el) return null;
    const by = stand(el), r = rectOf(by);
    if (r.top < 0 || r.left < 0 || r.bottom > innerHeight || r.right > innerWidth) scrollTo(by, {block: 'center', inline: 'nearest', behavior: 'instant'});
    return boxOf(by);
  };
  const reach = (n) => {
    const el = node(n);
    if (!el) return null;
    const by = stand(el);
    let cover = null;
    const boxes = [...rectsOf(by)].filter((r) => r.width > 0 && r.height > 0).slice(0, 8);
    for (const r of boxes) for (const [fx, fy] of [[.5, .5], [.25, .5], [.75, .5], [.5, .25], [.5, .75]]) {
      const x = r.x + r.width * fx, y = r.y + r.height * fy;
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
      const top = deepest(x, y);
      if (allows(by, top) || allows(el, top)) return {point: [x, y], box: boxOf(by)};
      cover = cover || told(top);
    }
    return {point: null, cover, box: boxOf(by)};
  };
  // Where a control stands before it is pointed at, and whether it can be used; then what is there unless it moved on.
  const approach = (n) => { const box = scrolled(n); return box && {box, enabled: usable(node(n))}; };
  const arrive = (n, box) => {
    const now = scrolled(n);
    if (!now) return null;
    return now.every((value, index) => Math.abs(value - box[index]) < 0.5) ? reach(n) : {moved: now};
  };
  const live = () => {
    const found = [];
    for (const [n, kept] of nodes) {
      const el = kept.deref();
      if (!el) nodes.delete(n);
      else if (connected(el)) found.push(el);
    }
    return found;
  };
  const maskBoxes = () => live().filter((el) => guarded.has(el)).map(boxOf);
  const moving = () => document.getAnimations().filter((one) => one.playState === 'running');
  // Equal when a look would find the same; null when it cannot be told.
  const print = () => {
    if (document.querySelector('canvas, video') || moving().length) return null;
    let sum = 17;
    const mix = (text) => { for (let i = 0; i < text.length && i < 10000; i++) sum = (sum * 31 + text.charCodeAt(i)) | 0; };
    for (const el of live()) if (hasValue(el) || 'checked' in el) mix(`${el.value}\n${el.checked},${el.disabled},${el.selectedIndex};`);
    mix([scrollX, scrollY, innerWidth, innerHeight, titleIn(document), location.href, document.hasFocus()].join());
    return `${changes},${sum},${activeIn(document) ? number(activeIn(document)) : 0}`;
  };
  const identity = (n) => { const el = node(n); return el ? {role: roleOf(el), name: nameOf(el)} : null; };
  const state = (n) => {
    const el = node(n);
    if (!el) return null;
    const record = {tag: tagOf(el).toLowerCase(), protected: isProtected(el), editableBox: editable(el), hover: matches(el, ':hover')};
    flags(el, record);
    record.scroll = [el.scrollLeft, el.scrollTop];
    return record;
  };
  const activeWithin = (n) => {
    const el = node(n);
    let active = activeIn(document);
    while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
    return !!(el && active && within(el, active));
  };
  return {
    collect, reach, scrolled, identity, state, activeWithin, number,
    node: (n) => node(n),
    approach, arrive,
    busy: () => [changes, moving().filter((one) => one.effect && one.effect.getComputedTiming().endTime !== Infinity).length],
    after: () => ({changes, masks: maskBoxes(), print: print()}),
    changes: () => changes,
    said: () => spoken[0], saidAt,
    guard: (n) => { const el = node(n); if (el) guarded.add(el); },
    focus: (n) => { const el = node(n); if (el) (el instanceof HTMLFormElement ? HTMLElement.prototype : el).focus.call(el); },
    // Reads a field's value for a comparison inside the driver; nothing of it is stored.
    read: (n) => { const el = node(n); return el ? {value: valueOf(el)} : null; },
    hitsFrame: (n, x, y) => { const el = node(n), top = deepest(x, y); return top === el ? null : told(top) || {role: '', name: '', tag: 'nothing'}; },
    frameAt: (n) => { const el = node(n); if (!el) return null; const place = boxOf(el), css = getComputedStyle(el);
      return [place[0] + el.clientLeft + parseFloat(css.paddingLeft || 0), place[1] + el.clientTop + parseFloat(css.paddingTop || 0)]; },
    at: (x, y) => told(deepest(x, y)),
  };
}
