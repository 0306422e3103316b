/** One of the account workers of a process. `held`: its messages, emergencies aside. */
type Member = { held: () => number; wake: () => void };

/** How long one worker may send suspects, one after another, before the others continue. */
const TURN_MS = 1000;

/**
 * A message that may have killed a process is sent while the process holds nothing else. If the process dies again, no
 * other message is affected, and it is clear which one is to blame. Emergencies do not wait for that.
 */
export class Quarantine {
  readonly #members = new Set<Member>();
  #turn: { member: Member; until: number } | null = null;

  join(member: Member): void {
    this.#members.add(member);
  }

  leave(member: Member): void {
    this.#members.delete(member);
    this.end(member);
  }

  /** Until this member ends its turn, no one claims anything but emergencies. Call it only if no turn is `wanted`. */
  begin(member: Member): void {
    this.#turn = { member, until: performance.now() + TURN_MS };
  }

  /** Someone waits to send alone, or does. */
  get wanted(): boolean {
    return this.#turn !== null;
  }

  isTurnOf(member: Member): boolean {
    return this.#turn?.member === member;
  }

  get over(): boolean {
    return this.#turn !== null && performance.now() > this.#turn.until;
  }

  /** This process holds nothing else. */
  get quiet(): boolean {
    return [...this.#members].every(({ held }) => held() === 0);
  }

  end(member: Member): void {
    if (!this.isTurnOf(member)) return;
    this.#turn = null;
    this.wakeAll();
  }

  wakeAll(): void {
    for (const { wake } of this.#members) wake();
  }
}
