import { line, requiredLine } from "#contract/fields.ts";
import { settingMeaning } from "../adapter.ts";
import { mailAddress } from "./address.ts";

const invalid = "Invalid email address";

/** The sender, for every email account. */
export const senderSettings = {
  fromEmail: requiredLine("From email", 320, invalid)
    .overwrite((address) => {
      const mailbox = mailAddress(address);
      return mailbox && !mailbox.international ? mailbox.address : "";
    })
    .min(1, invalid)
    .register(settingMeaning, { label: "From email" }),
  fromName: line("From name", 100)
    .default("")
    .register(settingMeaning, { label: "From name", formRequires: "From name is required" }),
};

export const senderOf = ({ fromName, fromEmail }: { fromName: string; fromEmail: string }) => ({
  name: fromName,
  address: fromEmail,
});
