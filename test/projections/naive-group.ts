// What a workspace or organization should be, as plainly as it can be said: who is in it, who is invited, and
// why something is refused. Written from the rules alone; the property tests hold commands, facts and
// documents against it.

export const ladder = ['viewer', 'analyst', 'editor', 'operator', 'admin', 'owner'];
const DAY = 86_400_000;

export type NaiveInvitation = {
  id: string;
  email: string;
  role: string;
  status: string;
  token: string;
  until: number;
  by?: string;
};
/** What an organization asks for. `domains`: [] is any. */
export type NaiveSettings = { domains: readonly string[]; factor: boolean; days: number | null };
type Person = { readonly uid: string; readonly email: string };
/** Every reason against it; none: it may be. */
export type Reasons = readonly string[];

export class NaiveGroup {
  readonly roles = new Map<string, string>();
  readonly invitations: NaiveInvitation[] = [];
  readonly settings: NaiveSettings = { domains: [], factor: false, days: null };
  archivedAt: number | null = null;

  /** `above`: the organization of a workspace. */
  constructor(
    public name: string,
    creator: string,
    readonly above: NaiveGroup | null = null,
  ) {
    this.roles.set(creator, 'owner');
  }

  /** What holds for the members: what the organization asks for. */
  get rules(): NaiveSettings {
    return (this.above ?? this).settings;
  }

  ask(by: string, settings: Partial<NaiveSettings>, hasFactor: boolean): Reasons {
    const shutOut = settings.factor && !this.settings.factor && !hasFactor ? ['totp_not_enabled'] : [];
    const against = [...this.#live(), ...this.#atLeast(by, 'admin'), ...shutOut];
    if (against.length === 0) Object.assign(this.settings, settings);
    return against;
  }

  rename(by: string, name: string): Reasons {
    const against = [...this.#live(), ...this.#atLeast(by, 'admin')];
    if (against.length === 0) this.name = name;
    return against;
  }

  archive(by: string, typed: string, now: number): Reasons {
    const against = [
      ...this.#live(),
      ...this.#atLeast(by, 'owner'),
      ...(typed === this.name ? [] : ['validation_error']),
    ];
    if (against.length === 0) this.archivedAt = now;
    return against;
  }

  restore(by: string, now: number): Reasons {
    const tooLate = this.archivedAt !== null && now > this.archivedAt + 30 * DAY;
    const against = [...this.#atLeast(by, 'owner'), ...(tooLate ? ['restore_expired'] : [])];
    if (against.length === 0) this.archivedAt = null;
    return against;
  }

  changeRole(by: string, uid: string, role: string): Reasons {
    const was = this.roles.get(uid);
    const owners = was === 'owner' || role === 'owner';
    const against = [
      ...this.#live(),
      ...this.#atLeast(by, owners ? 'owner' : 'admin'),
      ...this.#in(uid),
      ...(role === was ? [] : this.#notLast(uid)),
    ];
    if (against.length === 0) this.roles.set(uid, role);
    return against;
  }

  remove(by: string, uid: string): Reasons {
    const rights = by === uid ? [] : this.#atLeast(by, this.roles.get(uid) === 'owner' ? 'owner' : 'admin');
    const against = [...this.#live(), ...rights, ...this.#in(uid), ...this.#notLast(uid)];
    if (against.length === 0) this.roles.delete(uid);
    return against;
  }

  invite(by: string, email: string, role: string, made: { id: string; token: string }, now: number): Reasons {
    const against = [
      ...this.#live(),
      ...this.#atLeast(by, role === 'owner' ? 'owner' : 'admin'),
      ...this.#domain(email),
      ...this.#onlyOne(email, null, now),
    ];
    if (against.length === 0)
      this.invitations.push({ ...made, email, role, status: 'pending', until: now + 7 * DAY });
    return against;
  }

  /** A new token and a new week; nobody passes on by it what they could not give themselves. */
  resend(by: string, id: string, token: string, now: number): Reasons {
    const it = this.#invitation(id);
    const against = [
      ...this.#live(),
      ...this.#atLeast(by, it?.role === 'owner' ? 'owner' : 'admin'),
      ...this.#mayBeResent(it, id, now),
    ];
    if (against.length === 0) Object.assign(it!, { token, until: now + 7 * DAY });
    return against;
  }

  revoke(by: string, id: string): Reasons {
    const it = this.#invitation(id);
    const against = [...this.#live(), ...this.#atLeast(by, 'admin'), ...(it ? [] : ['not_found'])];
    if (against.length === 0 && it!.status === 'pending') it!.status = 'revoked';
    return against;
  }

  answer({ uid, email }: Person, id: string, token: string, accept: boolean, now: number): Reasons {
    const it = this.#invitation(id);
    if (!it || it.token !== token) return [...this.#live(), 'not_found'];
    if (this.archivedAt === null && accept && it.by === uid && this.roles.has(uid)) return [];
    // Once it is closed nobody knows any more whom it was for
    const wrong =
      it.status !== 'pending' || it.email.toLowerCase() === email.toLowerCase() ? [] : ['not_invited'];
    const closed = it.status === 'pending' && it.until > now ? [] : ['invitation_expired'];
    const against = [
      ...this.#live(),
      ...wrong,
      ...closed,
      ...(accept && !this.roles.has(uid) ? this.#domain(email) : []),
    ];
    if (against.length > 0) return against;
    it.status = accept ? 'accepted' : 'declined';
    if (accept) it.by = uid;
    if (accept && !this.roles.has(uid)) this.roles.set(uid, it.role);
    return [];
  }

  #invitation(id: string) {
    return this.invitations.find(it => it.id === id);
  }
  #mayBeResent(it: (typeof this.invitations)[number] | undefined, id: string, now: number): Reasons {
    if (!it) return ['not_found'];
    if (it.status !== 'pending') return ['invitation_expired'];
    return [...this.#domain(it.email), ...this.#onlyOne(it.email, id, now)];
  }
  #live(): Reasons {
    return this.archivedAt === null ? [] : ['workspace_archived'];
  }
  #in(uid: string): Reasons {
    return this.roles.has(uid) ? [] : ['not_found'];
  }
  #atLeast(by: string, role: string): Reasons {
    const has = this.roles.get(by);
    if (has === undefined) return ['not_found'];
    return ladder.indexOf(has) < ladder.indexOf(role) ? ['role_forbidden'] : [];
  }
  #domain(email: string): Reasons {
    const { domains } = this.rules;
    const isIn = (domain: string) => email.toLowerCase().endsWith(`@${domain.toLowerCase()}`);
    return domains.length === 0 || domains.some(isIn) ? [] : ['email_domain_not_allowed'];
  }
  #notLast(uid: string): Reasons {
    const owners = [...this.roles].filter(([, role]) => role === 'owner');
    return owners.length === 1 && owners[0]![0] === uid ? ['last_owner'] : [];
  }
  #onlyOne(email: string, but: string | null, now: number): Reasons {
    const open = this.invitations.some(
      it =>
        it.id !== but
        && it.status === 'pending'
        && it.until > now
        && it.email.toLowerCase() === email.toLowerCase(),
    );
    return open ? ['already_invited'] : [];
  }
}
