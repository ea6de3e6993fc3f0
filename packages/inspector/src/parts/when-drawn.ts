/** Once what the page shows now has been drawn; in a page that nobody sees, at once. Returns the way to stop. */
export const whenDrawn = (callback: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (typeof requestAnimationFrame !== 'function' || document.hidden) {
    timer = setTimeout(callback);
    return () => clearTimeout(timer);
  }
  const request = requestAnimationFrame(() => {
    timer = setTimeout(callback);
  });
  return () => {
    cancelAnimationFrame(request);
    clearTimeout(timer);
  };
};
