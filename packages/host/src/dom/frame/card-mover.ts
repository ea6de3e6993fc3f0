/** What of the chrome moves a card. */
export interface CardHandles {
  /** Says by `data-movable` whether it can be moved now. */
  readonly head: HTMLElement;
  readonly bar: HTMLElement;
  readonly button: HTMLButtonElement;
}

interface Point {
  readonly left: number;
  readonly top: number;
}

const margin = 8;
const step = 16;
const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { left: -step, top: 0 },
  ArrowRight: { left: step, top: 0 },
  ArrowUp: { left: 0, top: -step },
  ArrowDown: { left: 0, top: step },
};

/**
 * Lets the user move a floating card out of the way: by its bar with any pointer, or by the arrow keys on its button
 * (Shift for larger steps, Home for back to the corner). A card that has a place of its own in the page stays there.
 */
export const createCardMover = (wrapper: HTMLElement, { head, bar, button }: CardHandles): (() => void) => {
  const page = wrapper.ownerDocument;
  const controller = new AbortController();
  const { signal } = controller;
  const shield = createShield(page);
  let grip: Point | undefined;
  let isMoved = false;

  const isPlaced = (): boolean =>
    getComputedStyle(wrapper).getPropertyValue('--mcp-app-pip-inset').trim() !== '';
  const moveTo = ({ left, top }: Point): void => {
    const { width, height } = wrapper.getBoundingClientRect();
    const { clientWidth, clientHeight } = page.documentElement;
    const within = (value: number, room: number): number =>
      Math.max(margin, Math.min(value, Math.max(margin, room - margin)));
    isMoved = true;
    const x = within(left, clientWidth - width);
    const y = within(top, clientHeight - height);
    wrapper.style.setProperty('--mcp-app-pip-moved', `${y}px auto auto ${x}px`);
  };
  const moveBy = ({ left, top }: Point): void => {
    const now = wrapper.getBoundingClientRect();
    moveTo({ left: now.left + left, top: now.top + top });
  };
  const reset = (): void => {
    isMoved = false;
    wrapper.style.removeProperty('--mcp-app-pip-moved');
  };
  const look = (): void => {
    const canMove = !isPlaced();
    head.toggleAttribute('data-movable', canMove);
    button.hidden = !canMove;
    // The page may have become smaller than where the card is.
    if (canMove && isMoved && !grip) moveBy({ left: 0, top: 0 });
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const by = arrows[event.key];
    if (by) moveBy(event.shiftKey ? { left: by.left * 4, top: by.top * 4 } : by);
    else if (event.key === 'Home') reset();
    else return;
    event.preventDefault();
  };
  const onPointerDown = (event: PointerEvent): void => {
    const isControl = event.target instanceof Element && event.target.closest('button:not(.move)');
    if (event.button !== 0 || isControl || isPlaced()) return;
    const { left, top } = wrapper.getBoundingClientRect();
    grip = { left: event.clientX - left, top: event.clientY - top };
    bar.setPointerCapture(event.pointerId);
    wrapper.append(shield);
  };
  const onPointerMove = ({ clientX, clientY }: PointerEvent): void => {
    if (grip) moveTo({ left: clientX - grip.left, top: clientY - grip.top });
  };
  const letGo = (): void => {
    grip = undefined;
    shield.remove();
  };

  button.addEventListener('keydown', onKeyDown, { signal });
  bar.addEventListener('pointerdown', onPointerDown, { signal });
  wrapper.addEventListener('pointermove', onPointerMove, { signal });
  for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) {
    wrapper.addEventListener(end, letGo, { signal });
  }
  window.addEventListener('resize', look, { signal });
  const observer = new ResizeObserver(look);
  observer.observe(wrapper);
  look();
  return () => {
    controller.abort();
    observer.disconnect();
    letGo();
    reset();
    head.removeAttribute('data-movable');
    button.hidden = true;
  };
};

/**
 * Creates an element that covers the whole page while a card is dragged. Without it, a frame in another process would
 * take the pointer events, even with pointer capture.
 */
const createShield = (page: Document): HTMLElement => {
  const shield = page.createElement('div');
  Object.assign(shield.style, { position: 'fixed', inset: '0', zIndex: '1', cursor: 'grabbing' });
  return shield;
};
