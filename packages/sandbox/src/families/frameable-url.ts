const MAX_LENGTH = 2048;

/** Whether an address may be a frame: http or https, nobody's name or password in it, of a sane length (T20). */
export const isFrameableUrl = (text: string): boolean => {
  if (text.length > MAX_LENGTH || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
};
