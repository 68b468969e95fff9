/** Path and query of a request's target; also of the absolute form, which proxies send. */
export function targetOf(url: string): { readonly path: string; readonly query: string } {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = target.indexOf('?');
  return mark === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

const SECRET =
  /(^|[-_])(sig|signature|token|secret|password|credentials?|auth|authorization|code|api_?key)$/i;

/**
 * A request's target as it may stand in a log: whoever has a signed link has its file, and people send
 * tokens in queries though none is taken there. Names are read as the server reads them, also when escaped.
 */
export function loggedTarget(url: string): string {
  const { path, query } = targetOf(url);
  if (query === '') return path;
  const shown = query.split('&').map(pair => {
    const [[name = ''] = []] = new URLSearchParams(pair);
    return SECRET.test(name) ? `${encodeURIComponent(name)}=***` : pair;
  });
  return `${path}?${shown.join('&')}`;
}
