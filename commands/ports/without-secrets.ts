/** Tokens, those of invitations in paths, signatures of links, and passwords inside of addresses. */
const secrets = [
  [/psg_live_[0-9A-Za-z]+/g, 'psg_live_***'],
  [/whsec_[0-9A-Za-z+/=]+/g, 'whsec_***'],
  [/\/invitations\/(?!inv_)[^\s"/?]+/g, '/invitations/***'],
  [/([?&]signature=)[^\s"&#]+/g, '$1***'],
  [/:\/\/[^\s"/@]+@/g, '://***@'],
] as const;

/** A text for people, such as a line of the log, with all secrets in it replaced by stars. */
export const withoutSecrets = (text: string): string =>
  secrets.reduce((left, [what, mask]) => left.replace(what, mask), text);
