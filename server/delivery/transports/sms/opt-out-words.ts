/**
 * What people text back to stop, resume or ask, in the languages of our tenants. Carriers' associations require the
 * English and French ones. A word counts only as the whole text.
 */

/** In this order where languages share a word. */
export const languages = ["en", "es", "fr", "de", "pt", "it", "pl", "zh"] as const;
export type Language = (typeof languages)[number];

/** `yes` only undoes a STOP: it may answer a question. */
export type Keyword = "stop" | "start" | "yes" | "help";

const words: Record<Language, Record<Keyword, string>> = {
  en: {
    stop: "stop, stop all, unsubscribe, cancel, end, quit, revoke, opt out, remove, stop it, unsub, td",
    start: "start, unstop, opt in, subscribe, resume",
    yes: "yes",
    help: "help, info",
  },
  es: {
    stop: "alto, baja, dar de baja, darme de baja, denme de baja, cancelar, detener, parar, salir, basta, ya basta, desuscribir, fin, stop",
    start: "iniciar, empezar, comenzar, reanudar, alta, suscribir",
    yes: "sí",
    help: "ayuda, información",
  },
  fr: {
    stop: "arrêt, arrêter, arrête, arrêtez, annuler, désabonner, désabonnement, désinscription, désinscrire, quitter",
    start: "commencer, démarrer, reprendre, début",
    yes: "oui",
    help: "aide",
  },
  de: {
    stop: "stopp, abmelden, abbestellen, austragen, beenden, aufhören, ende, abbrechen",
    start: "starten, beginnen, anmelden, fortsetzen",
    yes: "ja",
    help: "hilfe",
  },
  pt: {
    stop: "pare, sair, remover, descadastrar, encerrar, cancelar inscrição",
    start: "começar, voltar, retomar",
    yes: "sim",
    help: "ajuda",
  },
  it: {
    stop: "ferma, fermare, annulla, cancella, disiscrivi, disiscrizione, smetti",
    start: "inizia, avvia, riprendi, attiva",
    yes: "sì",
    help: "aiuto",
  },
  pl: {
    stop: "koniec, rezygnuję, rezygnacja, wypisz, zatrzymaj, anuluj, przestań",
    start: "rozpocznij, wznów, zacznij, zapisz",
    yes: "tak",
    help: "pomoc",
  },
  zh: {
    stop: "停止, 停, 退订, 退訂, 取消, 取消订阅, 取消訂閱, 结束, 結束",
    start: "开始, 開始, 订阅, 訂閱, 恢复, 恢復",
    yes: "是, 好",
    help: "帮助, 幫助",
  },
};

/** One form for all spellings: without accents, case and punctuation; words are separated by single spaces. */
export function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/[\p{M}\p{Cf}'’]/gu, "")
    .toLowerCase()
    .replaceAll("ł", "l")
    .replaceAll("ß", "ss")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Without words that only repeat the one before: "Stop stop stop". */
const unrepeated = (text: string) =>
  folded(text)
    .split(" ")
    .filter((word, i, all) => word !== all[i - 1])
    .join(" ");

/** What people copy from our own sentences: "Text STOP", "STOP 2 END". */
const instruction = /^(?:text|txt|reply) (?=.)|(?<=.) (?:2|to) (?:end|stop|quit|cancel|unsubscribe)$/g;

/** Also written as one word: "OPT-OUT", "stop all". */
const spaceless = (text: string) => unrepeated(text).replaceAll(" ", "");

const table = new Map<string, { keyword: Keyword; language: Language }>();
for (const language of languages) {
  for (const [keyword, list] of Object.entries(words[language]) as [Keyword, string][]) {
    for (const word of list.split(", ")) {
      const key = spaceless(word);
      if (!table.has(key)) table.set(key, { keyword, language });
    }
  }
}

/** The keyword that a text consists of, and its language; undefined: it is an ordinary text. */
export function keywordIn(text: string): { keyword: Keyword; language: Language } | undefined {
  if (text.length > 100) return undefined;
  const found = table.get(spaceless(text));
  if (found) return found;
  // "Yes to stop" undoes nothing.
  const instructed = table.get(unrepeated(text).replaceAll(instruction, "").replaceAll(" ", ""));
  return instructed?.keyword === "stop" ? instructed : undefined;
}

/**
 * What a provider says that it took a text for: Twilio's OptOutType, Telnyx's autoresponse_type, or the keyword on which
 * Amazon acted.
 */
export function providerKeyword(said: unknown): "stop" | "start" | "help" | undefined {
  const keyword = typeof said === "string" ? keywordIn(said)?.keyword : undefined;
  return keyword === "yes" ? "start" : keyword;
}

/** Words that mean nothing else, also beside others: "Stop. I moved out." */
const unmistakable =
  /^(stop|stopp|stop all|stopall|unsubscribe|unsub|opt ?out|arret|arretez|baja|darme de baja|abmelden|abbestellen|desabonner|descadastrar|退订|退訂)$/;

const courtesy =
  /\b(please|pls|plz|thanks|thank you|thx|now|svp|sil vous plait|merci|por favor|gracias|bitte|danke|obrigad[oa]|per favore|grazie|prosze|dziekuje)\b/g;

const us = String.raw`(text|txt|message|msg|sms|notice|notification|alert|email|mail|contact|call|writ|send|spam|bother|bug|harass)`;

/** Of folded text. Each must be about our messages, because "stop" is also what a leak should do. */
const phrases: readonly RegExp[] = [
  // English
  new RegExp(
    String.raw`\b(stop|quit|cease|end) (all |all of |the |these |those |this |your |ur |sending |doing |with )*(me |us |them )?(any |more |all |the |these |your )*${us}`,
  ),
  new RegExp(
    String.raw`\b(do not|dont|never|no longer) (ever )?(want (any |more |to get |to receive |to be |your |these |those )*)?${us}(e?d|ing|s|es)?( me| us| this| to me| here| again| anymore| any more)?\b(?!( me| us)? (the|a|if|when|until|unless|before|after|at|on|during|while|between) )`,
  ),
  new RegExp(String.raw`\bno (more|further) (of )?(these |those |this |your )?${us}`),
  /^(please |pls |plz |just )*no more( of (this|these|that))?( please| pls| plz| thanks| thank you| now)*$/,
  /^(please |pls |plz |just |can you |could you )+(stop|quit|unsubscribe|cease)( it| this| that| now| me)*( please| pls| plz| thanks| thank you| already)*$/,
  /^(stop|quit|enough) (it |this |that |now |already )*(please|pls|plz|thanks|thank you|already|now|it|this|that)$/,
  /\b(remove|delete|take|drop) (me|us|my (phone |cell )?(number|name)|this number)( off| out| from| please| pls| now| thanks|$)/,
  /\b(unsubscribe|opt(ing|ed)? (me )?out|opt me out)\b/,
  /\b(leave (me|us) alone|lose (my|this) number|wrong number)\b/,
  // Spanish
  /^(por favor )?(ya )?no mas( por favor| gracias| ya)*$/,
  /\b(no mas|basta de|ya no|no quiero|no deseo|sin)( quiero| deseo| me)*( recibir| reciban?| manden?)*( mas| sus| estos| los| tus)* (mensajes?|textos?|sms|avisos?|notificaciones|correos?)\b/,
  /\bno (me|nos) (escrib|mand|envi|molest|contact|text)\w*/,
  /\b(dejen?|pare[n]?|deje[n]?) (ya )?de (escribir|mandar|enviar|molestar|textear|contactar)\w*/,
  /\b(dejenme|dejeme|dejame) en paz\b|\b(quit|borr|elimin|sac)en?me\b|\b(dar|den|denme|darme|doy|deme) (me )?de baja\b/,
  // French
  /\b(plus|pas|assez) de (vos |ces )?(messages?|textos?|sms|notifications?|courriels?|mails?)\b/,
  /\barretez? de (m|me|nous)? ?(ecrire|envoyer|contacter|texter|deranger|mecrire|menvoyer|mecontacter)\w*/,
  /\bne (m|me) ?(ecri|envo|contact|text|derang)\w* (plus|pas)\b|\bne m(ecri|envo|contact|text)\w* (plus|pas)\b/,
  /\blaissez? moi tranquille\b|\b(retir|enlev|supprim|desabonn|desinscri)\w* moi\b|\b(me )?(desabonner|desinscrire)\b|\bca suffit\b/,
  // German
  /\bkeine? (weiteren? |mehr )?(nachrichten?|sms|texte?|mails?|benachrichtigungen?)\b/,
  /\b(nicht|nichts|nie) (mehr |wieder )?(schreiben|schicken|senden|anschreiben|kontaktieren)\b|\bschreib(t|en sie)? mir nicht\b/,
  /\b(lasst|lassen sie|lass) (mich|uns) in ruhe\b|\b(horen sie|hort|hor) (bitte )?auf( zu schreiben| damit)?$/,
  /\b(mich|bitte) (bitte )?(abmelden|abbestellen|austragen)\b|^bitte (stopp|stoppen|aufhoren)\b/,
  // Portuguese
  /\b(chega de|nao quero|ja nao quero|sem)( mais| receber| suas| essas)* (mensagens|mensagem|sms|textos?|avisos|notificacoes)\b/,
  /\bnao (me|nos) (mand|envi|escrev|contat|incomod)\w*|\bpare[m]? de (me )?(mandar|enviar|escrever|incomodar|contatar)\w*/,
  /^(por favor )?(nao mais|chega)( por favor| obrigado| obrigada)*$|\b(me deixe|deixem me|me deixem) em paz\b|\b(me remov\w+|remov\w+ me|me tirem?)\b/,
  // Italian
  /\b(basta|niente|non voglio)( piu| ricevere| altri| con)* (messaggi|sms|notifiche|avvisi)\b/,
  /\bnon (mi )?(scriv|mandat|inviat|contattat|disturbat)\w*|\bsmettete(la)?\b|\bsmettila\b|\blasciatemi in pace\b|\b(cancellat|rimuovet|togliet)emi\b/,
  // Polish
  /\bnie (pisz|wysylaj|przysylaj|kontaktuj)\w*|\b(przesta\w+|dosc|koniec z) (pisa\w+|wysyla\w+|wiadomosci\w*|sms\w*)/,
  /\bnie chce (juz |wiecej |dostawac |otrzymywac )*(wiadomosci|sms|powiadomien)\w*|\b(wypis|usun)\w* mnie\b|\bprosze (przestac|nie pisac)\b|\bdaj\w* mi spokoj\b/,
  // Chinese
  /(不要|别|別|勿|停止|不想|不再).{0,6}(发|發|短信|簡訊|消息|信息|打扰|打擾|联系|聯絡|骚扰|騷擾)|退订|退訂|取消订阅|取消訂閱|(删除|刪除).{0,2}(我|号|號)/,
];

/** "Don't stop the texts." */
const negated = /\b(do not|dont|never|didnt|not) (stop|unsubscribe|opt out|remove|quit)\b/g;

/**
 * Whether a text that is no keyword asks for no more messages, as far as one can tell. Staff decide; until then it counts.
 */
export function soundsLikeStop(text: string): boolean {
  const clauses = text
    .slice(0, 1600)
    .split(/[.!?,;:\n。！？，]+|\s[-–—]+\s/)
    .map((clause) => unrepeated(clause).replaceAll(instruction, "").replaceAll(negated, " "));
  const whole = unrepeated(text.slice(0, 1600)).replaceAll(negated, " ");
  return (
    clauses.some((clause) => unmistakable.test(clause.replaceAll(courtesy, "").trim())) ||
    phrases.some((phrase) => phrase.test(whole) || clauses.some((clause) => phrase.test(clause.trim())))
  );
}

/** Our answers by language, in which `{{site_name}}` is filled in. `contact` follows where the site has an email. */
export const answers: Record<Language, { stop: string; help: string; contact: string }> = {
  en: {
    stop: "{{site_name}}: You won't get any more text messages from us. Reply START to get them again.",
    help: "{{site_name}}: You get texts about your home from us. Reply STOP to turn them off, START to turn them on again.",
    contact: "Questions? Write to {{site_email}}.",
  },
  es: {
    stop: "{{site_name}}: No recibirá más mensajes de texto nuestros. Responda START para volver a recibirlos.",
    help: "{{site_name}}: Le enviamos mensajes sobre su vivienda. Responda STOP para no recibirlos, START para volver a recibirlos.",
    contact: "¿Preguntas? Escriba a {{site_email}}.",
  },
  fr: {
    stop: "{{site_name}} : Vous ne recevrez plus de messages texte de notre part. Répondez START pour en recevoir à nouveau.",
    help: "{{site_name}} : Nous vous envoyons des messages texte au sujet de votre logement. Répondez ARRET pour ne plus en recevoir, START pour en recevoir à nouveau.",
    contact: "Des questions ? Écrivez à {{site_email}}.",
  },
  de: {
    stop: "{{site_name}}: Sie erhalten keine weiteren SMS von uns. Antworten Sie START, um sie wieder zu erhalten.",
    help: "{{site_name}}: Sie erhalten von uns SMS zu Ihrer Wohnung. Antworten Sie STOP, um sie abzubestellen, START, um sie wieder zu erhalten.",
    contact: "Fragen? Schreiben Sie an {{site_email}}.",
  },
  pt: {
    stop: "{{site_name}}: Você não receberá mais mensagens de texto nossas. Responda START para voltar a receber.",
    help: "{{site_name}}: Enviamos mensagens sobre a sua moradia. Responda STOP para não receber mais, START para voltar a receber.",
    contact: "Dúvidas? Escreva para {{site_email}}.",
  },
  it: {
    stop: "{{site_name}}: Non riceverà più SMS da noi. Risponda START per riceverli di nuovo.",
    help: "{{site_name}}: Le inviamo SMS sulla sua abitazione. Risponda STOP per non riceverli più, START per riceverli di nuovo.",
    contact: "Domande? Scriva a {{site_email}}.",
  },
  pl: {
    stop: "{{site_name}}: Nie będziemy już wysyłać SMS-ów na ten numer. Odpowiedz START, aby znów je otrzymywać.",
    help: "{{site_name}}: Wysyłamy SMS-y dotyczące Twojego mieszkania. Odpowiedz STOP, aby zrezygnować, START, aby znów je otrzymywać.",
    contact: "Pytania? Napisz na adres {{site_email}}.",
  },
  zh: {
    stop: "{{site_name}}：您将不会再收到我们的短信。回复 START 可重新接收。",
    help: "{{site_name}}：我们会向您发送与您的住所有关的短信。回复 STOP 停止接收，回复 START 重新接收。",
    contact: "如有疑问，请发送邮件至 {{site_email}}。",
  },
};
