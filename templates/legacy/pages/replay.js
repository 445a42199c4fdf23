'use strict';
(async () => {
  const find = (id) => document.getElementById(id);
  const packed = Uint8Array.from(atob(find('frames').textContent), (char) => char.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const data = await new Response(stream).json();
  const boards = [];
  for (const changes of data.frames) {
    const parts = boards.length ? boards[boards.length - 1].slice() : [];
    for (const [from, to, put] of changes) parts.splice(from, to - from, ...put);
    boards.push(parts);
  }
  const links = [...document.querySelectorAll('#moves a')];
  const board = find('board'), told = find('told'), slider = find('slider'), play = find('play');
  const last = boards.length - 1;
  let at = last, timer = 0;

  const show = (number) => {
    links[at].removeAttribute('aria-current');
    at = Math.min(Math.max(number, 0), last);
    board.innerHTML = boards[at].map((part) => data.parts[part]).join('');
    told.textContent = at ? links[at].textContent : '';
    const said = links[at].closest('li').querySelector('.comments');
    find('beside').replaceChildren(...(said ? said.cloneNode(true).childNodes : []));
    slider.value = at;
    links[at].setAttribute('aria-current', 'step');
    if (at === last) stop();
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.setAttribute('aria-pressed', 'false');
  };
  const toggle = () => {
    if (timer) return stop();
    if (at === last) show(0);
    timer = setInterval(() => show(at + 1), 1500);
    play.setAttribute('aria-pressed', 'true');
  };
  const go = (number) => { stop(); show(number); };

  find('first').onclick = () => go(0);
  find('back').onclick = () => go(at - 1);
  find('on').onclick = () => go(at + 1);
  find('last').onclick = () => go(last);
  play.onclick = toggle;
  slider.oninput = () => go(Number(slider.value));
  links.forEach((link, number) => {
    link.onclick = (event) => { event.preventDefault(); go(number); };
  });
  const keys = { ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1), Home: () => go(0), End: () => go(last), ' ': toggle };
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    if (event.target.closest('button, summary') && event.key === ' ') return;
    if (event.target === slider && event.key !== ' ') return;
    event.preventDefault();
    keys[event.key]();
  });
  const named = () => {
    const number = Number(location.hash.slice(1));
    if (location.hash && Number.isInteger(number)) go(number);
  };
  addEventListener('hashchange', named);
  find('controls').hidden = false;
  show(last);
  named();
})();
