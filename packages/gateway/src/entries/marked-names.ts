const says = {
  code: 'It makes the program load code that this entry does not show.',
  path: 'It decides which programs are found under a name.',
  trust: 'It decides whom the program believes, or sends its traffic elsewhere.',
} as const;

/** Names of variables that change what a program runs or whom it speaks to, whatever its command says. */
const marks: readonly (readonly [RegExp, keyof typeof says])[] = [
  [
    /^(?:LD_|DYLD_|NODE_OPTIONS$|NODE_PATH$|NODE_REPL_EXTERNAL_MODULE$|PYTHON(?:PATH|HOME|STARTUP|INSPECT|BREAKPOINT)$|PERL5?(?:LIB|OPT|DB)$|RUBY(?:LIB|OPT)$|JAVA_TOOL_OPTIONS$|_JAVA_OPTIONS$|JDK_JAVA_OPTIONS$|CLASSPATH$|BASH_ENV$|BASH_FUNC_|ENV$|ZDOTDIR$|PROMPT_COMMAND$|GIT_|NPM_CONFIG_|BUN_OPTIONS$|DENO_|LUA_(?:PATH|CPATH|INIT)|PHP(?:RC|_INI_SCAN_DIR)$|GCONV_PATH$|COR(?:ECLR)?_PROFILER|DOTNET_STARTUP_HOOKS$|EDITOR$|VISUAL$|PAGER$|BROWSER$|SHELLOPTS$|IFS$)/i,
    'code',
  ],
  [/^(?:PATH|PATHEXT|COMSPEC|SHELL|HOME|USERPROFILE)$/i, 'path'],
  [
    /^(?:(?:HTTPS?|ALL|NO)_PROXY|NODE_TLS_REJECT_UNAUTHORIZED|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE)$/i,
    'trust',
  ],
];

/** One sentence for a variable that can do more than its value shows; undefined for all others. */
export const findMark = (name: string): string | undefined => {
  const kind = marks.find(([names]) => names.test(name.slice(0, 64)))?.[1];
  return kind === undefined ? undefined : says[kind];
};
