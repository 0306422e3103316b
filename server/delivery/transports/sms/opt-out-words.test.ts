import { describe, expect, test } from "vitest";
import { folded, keywordIn, languages, providerKeyword, soundsLikeStop } from "./opt-out-words.ts";

const keywords: Record<"stop" | "start" | "yes" | "help", Record<string, string[]>> = {
  stop: {
    en: [
      "STOP",
      " Stop. ",
      "StopAll",
      "stop all",
      "UNSUBSCRIBE",
      "Cancel",
      "END!",
      "quit",
      "Opt-out",
      "OPT OUT",
      "optout",
      "REVOKE",
      "remove",
      "“Stop”",
      "stop\u200b",
      "STOP\n",
      "STOP STOP",
      "Stop stop stop",
      "STOP 2 END",
      "Stop to end",
      "Text STOP",
      "Reply STOP to unsubscribe",
    ],
    es: ["BAJA", "ALTO", "Parar", "cancelar", "Dar de baja", "salir", "¡Ya basta!", "ya, ya basta"],
    fr: ["ARRET", "Arrêt", "ARRÊT", "arrêter", "Arre\u0302t", "désabonner", "desabonner"],
    de: ["Stopp", "STOPP!", "abmelden", "Abbestellen"],
    pt: ["Pare", "SAIR", "remover"],
    it: ["ferma", "Annulla", "disiscrivi"],
    pl: ["Koniec", "rezygnuję", "REZYGNUJE", "wypisz"],
    zh: ["停止", "退订", "退訂", "取消订阅", "退订。"],
  },
  start: {
    en: ["Start", "START.", "unstop"],
    es: ["iniciar", "Empezar"],
    fr: ["Démarrer", "commencer"],
    de: ["starten"],
    pt: ["começar", "COMECAR"],
    it: ["inizia"],
    pl: ["wznów"],
    zh: ["开始"],
  },
  yes: {
    en: ["YES", "yes!"],
    es: ["Sí", "si"],
    fr: ["Oui"],
    de: ["ja"],
    pt: ["sim"],
    pl: ["tak"],
    zh: ["是"],
  },
  help: {
    en: ["HELP", "info.", "Help?"],
    es: ["Ayuda", "información"],
    fr: ["AIDE", "Aide !"],
    de: ["Hilfe"],
    pt: ["ajuda"],
    it: ["aiuto"],
    pl: ["pomoc"],
    zh: ["帮助"],
  },
};

const rows = Object.entries(keywords).flatMap(([keyword, byLanguage]) =>
  Object.entries(byLanguage).flatMap(([language, texts]) =>
    texts.map((text) => ({ text, keyword, language })),
  ),
);

test.each(rows)("$text is $keyword, in $language", ({ text, keyword, language }) => {
  expect(keywordIn(text)).toEqual({ keyword, language });
});

test("every language has a word to stop", () => {
  expect(Object.keys(keywords.stop)).toEqual(languages);
});

test.each([
  "Help me",
  "Please stop texting me",
  "yes, at nine",
  "Don't stop",
  "stop by at nine",
  "text",
  "Text me",
  "Yes to stop",
  "reply yes to all",
  "to end",
  "no",
  "nie",
  "OK",
  "",
  " ",
  "🙂",
])("%j is no keyword", (text) => expect(keywordIn(text)).toBeUndefined());

test.each([
  ["STOP", "stop"],
  ["stop", "stop"],
  ["OPT_OUT", "stop"],
  ["START", "start"],
  ["OPT_IN", "start"],
  ["HELP", "help"],
  ["KEYWORD_123", undefined],
  ["", undefined],
  [null, undefined],
  [undefined, undefined],
  [["STOP"], undefined],
  [{}, undefined],
])("a provider's %j means %j", (said, keyword) => {
  expect(providerKeyword(said)).toBe(keyword);
});

const asking =
  `no more, please|No mas|no más|NO MÁS POR FAVOR|stop texting me|Stop sending me these|remove me|Remove me from your list
leave me alone|Please stop texting me|please stop|Please stop!|STOP. I moved out.|stop - moved out|Moved out – STOP STOP|Wrong person, text STOP|no no more texts|Stop, thanks|don't text me|Don’t text me|do not contact me again
Don't send me any more messages|no more texts|No more messages please|take me off this list|unsubscribe me|I want to opt out
quit texting me|stop the texts|I don't want these messages|I no longer want to receive texts|stop it please|enough already|wrong number
no quiero más mensajes|ya no quiero recibir mensajes|no me escriban más|dejen de mandarme mensajes|dar de baja por favor
plus de messages svp|arrêtez de m'envoyer des textos|Ne m'écrivez plus|laissez-moi tranquille|Stop svp. Merci
keine Nachrichten mehr|bitte keine SMS mehr|Lassen Sie mich in Ruhe|hören Sie auf|Bitte abmelden
não quero mais receber mensagens|pare de me mandar mensagens|me deixe em paz|basta messaggi|non scrivetemi più|lasciatemi in pace
nie piszcie do mnie|proszę przestać|nie chcę więcej wiadomości|不要再发了|别再给我发短信|请退订`.split(
    /[|\n]/,
  );

const ordinary =
  `Don't stop|Please don't stop the texts|Can you stop by tomorrow?|I'll stop by the office|stop the leak please
Please stop the noise upstairs|the water won't stop|No more hot water|no más agua caliente|There is no more parking|Yes, at nine|Thanks!|Help me|OK
The bus stop is closed|I never got a text|I did not get your message|Don't call me before 9|Remove the trash please|please cancel my appointment
Who is this?|no|No thanks|Take the trash out|I can't open the email|Do not send the plumber today|Please don't forget to text me
The alarm doesn't stop|quit smoking|The bus - stop is closed|Text the plumber to stop|We had a non-stop leak|It ran non-stop|Keine Heizung mehr|kein Wasser|plus d'eau chaude|arrêtez le bruit|no hay agua|non funziona la luce|nie ma wody
别忘了|没有热水`.split(/[|\n]/);

describe("what sounds like stop", () => {
  test.each(asking)("%j does", (text) => expect(soundsLikeStop(text)).toBe(true));
  test.each(ordinary)("%j doesn't", (text) => expect(soundsLikeStop(text)).toBe(false));

  test("a text as long as a phone can send is read at once", () => {
    const long = "no ".repeat(600) + "me me us the these ".repeat(200);
    expect(soundsLikeStop(long)).toBe(false);
  });
});

test("folding takes away accents, case, marks that no one sees and punctuation", () => {
  expect(folded("  ÉLAN\u200b, Łódź — Straße! ")).toBe("elan lodz strasse");
});
