const findField = (place: Element): HTMLTextAreaElement | null | undefined =>
  place.closest('.casement-chat')?.querySelector<HTMLTextAreaElement>('.casement-composer textarea');

/** Brings the focus to where the user writes, in the same chat. */
export const focusComposer = (place: Element): void => findField(place)?.focus();

/** True when nobody would miss the focus: it is nowhere, or in a composer that nothing is written in. */
export const isFocusFree = (place: Element): boolean => {
  const { activeElement, body } = document;
  const field = findField(place);
  return activeElement === null || activeElement === body || (activeElement === field && field?.value === '');
};
