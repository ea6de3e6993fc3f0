/** Tells the host how tall the content is whenever that changes, and only then. */
export const observeHeight = (content: HTMLElement, report: (height: number) => void): void => {
  let reported = 0;
  const observer = new ResizeObserver(() => {
    // The content's height follows from its width alone, so a taller frame cannot ask for a taller one.
    const height = Math.ceil(content.getBoundingClientRect().height);
    if (height === reported || height === 0) return;
    reported = height;
    report(height);
  });
  observer.observe(content);
};
