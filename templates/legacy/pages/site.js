'use strict';
(() => {
  let timer = 0, source = null, polling = 0, loads = 0, loaded = 0;
  const find = (id) => document.getElementById(id);
  const random = () => [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, '0')).join('');

  const stop = () => {
    clearInterval(timer);
    timer = 0;
    const play = find('play');
    if (play) play.setAttribute('aria-pressed', 'false');
  };
  const load = async (address, how) => {
    const mine = ++loads;
    let page;
    try {
      const answer = await fetch(address, { headers: { accept: 'text/html' }, referrerPolicy: 'no-referrer' });
      if (!answer.ok) throw new Error(answer.status);
      page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    } catch {
      if (mine === loads) location.assign(address);
      return;
    }
    if (mine !== loads) return; // another was asked for meanwhile
    loaded = mine;
    const active = document.activeElement, focused = active && active.dataset.key;
    const sent = how === 'live' && document.querySelector('#sent[data-keep]');
    find('main').replaceWith(document.adoptNode(page.getElementById('main')));
    if (sent && find('bar')) find('bar').prepend(sent);
    document.title = page.title;
    if (how === 'push' && timer) history.replaceState(null, '', address);
    else if (how === 'push') history.pushState(null, '', address);
    ready();
    const again = focused && document.querySelector(`[data-key="${focused}"]`);
    const next = again || (how === 'push' && find('ask'));
    if (next) next.focus({ preventScroll: true });
  };
  const follow = (key) => {
    const link = document.querySelector(`a[data-key="${key}"]`);
    if (link) load(link.href, 'push');
    return link;
  };
  const toggle = () => {
    if (timer) return stop();
    if (!document.querySelector('a[data-key="ArrowRight"]') && !follow('Home')) return undefined;
    timer = setInterval(() => { if (loaded === loads && !follow('ArrowRight')) stop(); }, 1500);
    find('play').setAttribute('aria-pressed', 'true');
    return undefined;
  };
  const ready = () => {
    for (const own of document.querySelectorAll('input[name="own"]')) own.value = random();
    const slider = find('slider'), play = find('play');
    if (slider && slider.max !== '0') {
      slider.hidden = false;
      slider.onchange = () => { stop(); load(`${slider.dataset.here}?at=${slider.value}`, 'push'); };
    }
    if (play && find('step').textContent !== '0 / 0') {
      play.hidden = false;
      play.onclick = toggle;
      play.setAttribute('aria-pressed', timer ? 'true' : 'false');
    }
    listen();
  };

  addEventListener('click', (event) => {
    const link = event.target.closest('a[data-swap]');
    const board = event.target.closest('#taps');
    if (board && !event.target.closest('a') && board.dataset.miss) {
      const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
      load(`${board.dataset.miss}${Math.round(x)},${Math.round(y)}`, 'miss');
    }
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    stop();
    load(link.href.baseVal ? new URL(link.href.baseVal, location).href : link.href, 'push');
  });
  addEventListener('submit', (event) => {
    const form = event.target;
    if ('once' in form.dataset) {
      for (const button of form.querySelectorAll('button')) button.disabled = true;
      return;
    }
    if (!('swap' in form.dataset)) return;
    event.preventDefault();
    const asked = new URLSearchParams(new FormData(form));
    load(`${form.getAttribute('action').split('#')[0]}?${asked}`, 'push');
  });
  const busy = () => {
    const text = find('text'), words = find('words'), comment = find('comment');
    const open = document.activeElement && document.activeElement.closest('details[open]');
    return timer || open || loaded !== loads || /[?&](at|text|line|again)=/.test(location.search) ||
      (text && text.value !== text.defaultValue) || (words && words.value) || (comment && comment.value) || document.hidden;
  };
  const heard = (version) => {
    if (Number(version) <= Number(find('main').dataset.version || 0)) return;
    const news = document.querySelector('#news a');
    if (busy()) {
      find('main').dataset.old = 'yes';
      if (news) news.hidden = false;
    } else load(location.href.split('#')[0], 'live');
  };
  const close = () => {
    if (source) source.close();
    source = null;
  };
  const poll = async () => {
    const page = find('main').dataset;
    if (!page.live || document.hidden) return;
    const answer = await fetch(`${page.live}&once=1`, { referrerPolicy: 'no-referrer' }).catch(() => null);
    if (answer && answer.ok) heard(await answer.text());
  };
  const ask = () => {
    close();
    polling ||= setInterval(poll, 30000);
  };
  const listen = () => {
    const page = find('main').dataset;
    if (!page.live || document.hidden) { close(); return; }
    if (source || polling) return;
    if (!window.EventSource) { ask(); return; }
    source = new EventSource(page.live);
    source.onmessage = (news) => heard(news.data);
    source.addEventListener('full', ask);
    source.onerror = () => { if (source && source.readyState === EventSource.CLOSED) ask(); };
  };
  addEventListener('visibilitychange', () => {
    if (find('main').dataset.old && !busy()) load(location.href.split('#')[0], 'live');
    else if (polling) poll();
    else listen();
  });
  addEventListener('toggle', (event) => {
    if (event.target.open && event.target.closest('#rest')) event.target.scrollIntoView({ block: 'start' });
  }, true);
  addEventListener('pagehide', close);
  addEventListener('pageshow', listen);
  addEventListener('popstate', () => load(location.href, 'back'));
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select, button, summary')) return;
    if (!['ArrowLeft', 'ArrowRight', 'Home', 'End', 'Backspace', 'Escape'].includes(event.key)) return;
    stop();
    if (follow(event.key)) event.preventDefault();
  });
  ready();
})();
