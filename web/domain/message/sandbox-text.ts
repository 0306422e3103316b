/** For a toast after so many messages were sent, where the server's reply says `sandboxOnly`. */
export const sandboxSentence = (sent = 1) =>
  `Sent to the Sandbox. No one received ${sent === 1 ? "it" : "them"}.`;
