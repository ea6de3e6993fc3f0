import type { DisplayMode } from '@casement/protocol';
import type { RefObject } from 'react';
import { useLayoutEffect } from 'react';

/**
 * Makes an element the place of the app that is in a mode. The app's frame stays in its message and is laid over the
 * element, by variables on the chat's root that the host's layout reads: a frame that is moved starts anew.
 */
export const usePlace = (
  element: RefObject<HTMLElement | null>,
  mode: Exclude<DisplayMode, 'inline'> | undefined,
): void => {
  useLayoutEffect(() => {
    const place = element.current;
    const root = place?.closest<HTMLElement>('.casement-chat');
    if (!place || !root || !mode) return;
    const name = `--mcp-app-${mode}`;
    const measure = (): void => {
      const sides = measureInset(place, root);
      root.style.setProperty(`${name}-inset`, sides.map((side) => `${side}px`).join(' '));
    };
    measure();
    root.style.setProperty(`${name}-width`, 'auto');
    root.style.setProperty(`${name}-height`, 'auto');
    // A part of the chat then, not in front of all: menus of the composer open over it.
    if (mode === 'pip') root.style.setProperty(`${name}-layer`, '1');
    const observer = new ResizeObserver(measure);
    for (const each of [place, root, document.documentElement]) observer.observe(each);
    const controller = new AbortController();
    const listening = { signal: controller.signal, capture: true, passive: true };
    window.addEventListener('resize', measure, listening);
    // Any area around the chat may scroll.
    document.addEventListener('scroll', (event) => isAround(event.target, root) && measure(), listening);
    return () => {
      observer.disconnect();
      controller.abort();
      for (const part of ['inset', 'width', 'height', 'layer']) root.style.removeProperty(`${name}-${part}`);
    };
  }, [element, mode]);
};

/**
 * How far a place is from each side of what a fixed element in the chat is laid out in: the viewport, or an ancestor of
 * the chat with a transform, a filter or containment, which may be scaled.
 */
const measureInset = (place: HTMLElement, root: HTMLElement): readonly number[] => {
  const probe = document.createElement('div');
  probe.style.cssText = 'position:fixed;inset:0;visibility:hidden';
  root.append(probe);
  const around = probe.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = probe;
  probe.remove();
  const { top, right, bottom, left } = place.getBoundingClientRect();
  const across = around.width === 0 ? 1 : offsetWidth / around.width;
  const down = around.height === 0 ? 1 : offsetHeight / around.height;
  return [
    (top - around.top) * down,
    (around.right - right) * across,
    (around.bottom - bottom) * down,
    (left - around.left) * across,
  ];
};

const isAround = (target: EventTarget | null, root: HTMLElement): boolean =>
  target instanceof Node && target !== root && target.contains(root);
