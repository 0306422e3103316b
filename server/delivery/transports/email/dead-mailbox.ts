/**
 * Whether a mail server's final refusal says that the mailbox doesn't exist. That blocks the address, so it has to be said:
 * by a code, or in words that vendors and their operators use. A refusal about us, such as by a blocklist, blocks no one,
 * whatever code it has. Neither do a full or disabled mailbox and a policy (5.2.x, 5.7.x).
 */
export function isDeadMailbox(enhanced: string, text: string): boolean {
  const said = folded(text);
  if (!enhanced.startsWith("5.") && enhanced !== "") return false;
  if (ABOUT_US.test(said)) return false;
  if (NO_SUCH_MAILBOX.has(enhanced)) return true;
  if (/^5\.[27]\./.test(enhanced) && !VENDORS_WITH_ODD_CODES.test(said)) return false;
  return VENDORS.some(([code, words]) => code === enhanced && words.test(said)) || PHRASES.test(said);
}

const NO_SUCH_MAILBOX: ReadonlySet<string> = new Set(["5.1.0", "5.1.1", "5.1.3", "5.1.6", "5.1.10"]);

/** Codes that mean other things elsewhere, with the words that their vendor adds. */
const VENDORS: readonly [code: string, words: RegExp][] = [
  // Exchange Online, for a recipient who isn't in the organization's directory.
  ["5.4.1", /recipient address rejected: access denied/],
  // Outlook.com.
  ["5.5.0", /requested action not taken: mailbox unavailable/],
];

/** Exim and older gateways say it with the code of a policy. */
const VENDORS_WITH_ODD_CODES = /\b(?:user unknown|unknown user|no such user|recipient not found)\b/;

/** The sender, its network or its reputation; how often it sends; what it has sent; that it didn't sign in. */
const ABOUT_US = new RegExp(
  [
    String.raw`\b(?:black|block|deny|grey)[ -]?list|\bblocked\b|\bbanned\b|\brbl\b|\bdnsbl\b|spamhaus|spamcop|barracuda`,
    String.raw`\bspam\b|\breputation\b|\bpolicy\b|\bpolicies\b|\bspf\b|\bdkim\b|\bdmarc\b|\breverse dns\b|\bptr\b|\bhelo\b|\behlo\b`,
    String.raw`relay(?:ing)? (?:access )?(?:denied|not|prohibited)|unable to relay|not permitted to relay|cannot relay`,
    String.raw`\bsender (?:address )?(?:rejected|denied|unknown|blocked|verify|verification|not)|\bclient host\b|\bsending ip\b|\byour ip\b`,
    String.raw`\brate limit|\btoo many\b|\bquota\b|\bauthenticat|\bnot authori[sz]ed\b|\bunauthori[sz]ed\b|\bmessage content\b|\bvirus\b`,
  ].join("|"),
);

/** In the words of mail servers and providers, by language, without accents. */
const phrases: Readonly<Record<string, readonly string[]>> = {
  english: [
    "user unknown",
    "unknown user",
    "user not found",
    "no such user",
    "not a known user",
    "unknown recipient",
    "recipient unknown",
    "recipient not found",
    "recipientnotfound",
    "no such recipient",
    "invalid recipient",
    "not a valid recipient",
    "unknown local part",
    "unknown local-part",
    "addressee unknown",
    "mailbox not found",
    "mailbox unknown",
    "unknown mailbox",
    "no such mailbox",
    "invalid mailbox",
    "no mailbox here by that name",
    "bad destination mailbox address",
    "mailbox does not exist",
    "mailbox doesn't exist",
    "account does not exist",
    "account doesn't exist",
    "user does not exist",
    "user doesn't exist",
    "address does not exist",
    "address doesn't exist",
    "recipient does not exist",
    "recipient doesn't exist",
    "that you tried to reach does not exist",
    "user doesn't have a yahoo.com account",
    "user doesn't have an aol.com account",
    "no account by that name",
    "no such address",
  ],
  german: [
    "empfanger unbekannt",
    "unbekannter empfanger",
    "benutzer unbekannt",
    "unbekannter benutzer",
    "postfach existiert nicht",
    "postfach nicht gefunden",
    "postfach unbekannt",
    "mailbox existiert nicht",
    "adresse existiert nicht",
    "adresse ist unbekannt",
    "empfanger existiert nicht",
  ],
  french: [
    "utilisateur inconnu",
    "destinataire inconnu",
    "destinataire introuvable",
    "adresse inconnue",
    "adresse inexistante",
    "compte inexistant",
    "boite aux lettres inexistante",
    "boite inexistante",
    "boite aux lettres inconnue",
    "adresse d au moins un destinataire invalide",
    "adresse d'au moins un destinataire invalide",
  ],
  spanish: [
    "usuario desconocido",
    "usuario inexistente",
    "destinatario desconocido",
    "destinatario inexistente",
    "cuenta inexistente",
    "buzon inexistente",
    "el buzon no existe",
    "la cuenta no existe",
    "el usuario no existe",
    "no existe el usuario",
    "no existe el buzon",
    "direccion inexistente",
  ],
  portuguese: [
    "usuario nao existe",
    "usuario nao encontrado",
    "utilizador desconhecido",
    "utilizador inexistente",
    "usuario desconhecido",
    "destinatario desconhecido",
    "caixa postal inexistente",
    "caixa de correio inexistente",
    "conta inexistente",
    "conta nao existe",
    "endereco inexistente",
  ],
  italian: [
    "utente sconosciuto",
    "utente inesistente",
    "destinatario sconosciuto",
    "destinatario inesistente",
    "casella inesistente",
    "casella postale inesistente",
    "casella di posta inesistente",
    "indirizzo inesistente",
    "account inesistente",
  ],
  polish: [
    "nieznany uzytkownik",
    "uzytkownik nieznany",
    "uzytkownik nie istnieje",
    "nie ma takiego uzytkownika",
    "nieznany odbiorca",
    "odbiorca nieznany",
    "konto nie istnieje",
    "skrzynka nie istnieje",
    "nie ma takiego konta",
    "adres nie istnieje",
  ],
  dutch: [
    "gebruiker onbekend",
    "onbekende gebruiker",
    "ontvanger onbekend",
    "onbekende ontvanger",
    "mailbox bestaat niet",
    "postvak bestaat niet",
  ],
  turkish: ["kullanici bulunamadi", "boyle bir kullanici yok", "alici bulunamadi"],
  russian: [
    "пользователь не найден",
    "нет такого пользователя",
    "почтовый ящик не существует",
    "ящик не найден",
  ],
  chinese: [
    "用户不存在",
    "收件人不存在",
    "邮箱不存在",
    "邮箱地址不存在",
    "帐号不存在",
    "账号不存在",
    "用戶不存在",
    "收件人位址不存在",
  ],
  japanese: [
    "宛先不明",
    "宛先が存在しません",
    "ユーザーが存在しません",
    "ユーザは存在しません",
    "メールボックスが存在しません",
  ],
};

const PHRASES = new RegExp(
  Object.values(phrases)
    .flat()
    .map((phrase) => RegExp.escape(folded(phrase)))
    .join("|"),
);

/** Lowercase, without accents, addresses and links, in which a name may be any word. */
function folded(text: string): string {
  return text
    .slice(0, 2000)
    .replaceAll(/https?:\/\/\S+|[^\s<>]+@[^\s<>]+/gi, " ")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[‘’ʼ]/g, "'")
    .replaceAll("ı", "i")
    .replaceAll("ł", "l")
    .toLowerCase()
    .replaceAll("ł", "l")
    .replaceAll(/\s+/g, " ");
}
