import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { piecesOf, respelledFields, selfFilledFields } from "#contract/text/message-fields.ts";
import {
  answerKind,
  askedFields,
  fieldLabel,
  fileFields,
  insertableFields,
  savedFields,
  usedFields,
  wordsAround,
} from "#web/domain/message/fields.ts";
import { filledForm, template } from "#web/domain/message/testing.ts";

describe("piecesOf", () => {
  test("finds fields whatever their blanks and capitals", () => {
    expect(piecesOf("Hi {{ First_Name }}, {{today}}")).toEqual([
      { raw: "Hi ", field: null },
      { raw: "{{ First_Name }}", field: "first_name" },
      { raw: ", ", field: null },
      { raw: "{{today}}", field: "today" },
    ]);
  });

  test("loses no letter of any text, so that the drawing lies exactly on the text", () => {
    const text = fc.array(
      fc.oneof(fc.string(), fc.constantFrom("{{", "}}", "{{a}}", "{{ b_1 }}", "é", "👩‍👩‍👧", "\n")),
    );
    fc.assert(
      fc.property(text, (parts) => {
        const whole = parts.join("");
        expect(
          piecesOf(whole)
            .map((piece) => piece.raw)
            .join(""),
        ).toBe(whole);
      }),
    );
  });

  test.each(["{{}}", "{{1st}}", "{{two: words}}", "{first_name}", "{{open"])("%s is no field", (text) => {
    expect(piecesOf(text).every((piece) => piece.field === null)).toBe(true);
  });
});

describe("what is asked for", () => {
  const nothing = { templates: [], ownText: false };
  const known = { templates: [template()], ownText: false };

  test("only fields that no one's record fills, each once, in order of use", () => {
    const customMessage = "{{due_date}} {{first_name}} {{Amount}} {{due_date}} {{today}}";
    expect(askedFields(filledForm({ title: "Rent", customMessage }), nothing)).toEqual([
      "due_date",
      "amount",
    ]);
  });

  test("not what a file has for each person", () => {
    const form = filledForm({
      title: "Rent",
      customMessage: "{{amount}} {{due_date}} {{first_name}}",
      ownValues: { id: 4, name: "Rent.xlsx", people: 297, fields: ["amount"] },
    });
    expect(askedFields(form, nothing)).toEqual(["due_date"]);
    expect(fileFields(form, nothing)).toEqual(["amount", "due_date"]);
  });

  test("own words and the title are read; a template says itself", () => {
    const own = filledForm({ title: "{{event}}", customMessage: "At {{place}}, {{event}}" });
    expect(askedFields(own, nothing)).toEqual(["place", "event"]);
    const byTemplate = { ...own, messageType: "template" as const, templateId: "1" };
    expect(askedFields(byTemplate, known)).toEqual(["due_date", "amount", "event"]);
    expect(askedFields({ ...byTemplate, templateId: "2" }, known)).toEqual(["event"]);
  });

  test("a template's text that may be changed is read as it is changed, under the subject it came with", () => {
    const changed = filledForm({ messageType: "template", templateId: "1", customMessage: "At {{place}}" });
    const ownTemplate = { subject: "Due {{day}}", formatted: true };
    expect(askedFields({ ...changed, ownTemplate }, { ...known, ownText: true })).toEqual(["day", "place"]);
  });

  test("a home's own are asked for only where someone has filled them in", () => {
    const text = { customMessage: "{{unit}} {{lease_end}} {{place}}", title: "Hi" };
    expect(askedFields(filledForm(text), nothing)).toEqual(["place"]);
    const typed = filledForm({ ...text, fieldValues: { unit: "your home" } });
    expect(askedFields(typed, nothing)).toEqual(["unit", "place"]);
    const dated = filledForm({ ...text, relativeDates: { lease_end: { daysAfter: 3 } } });
    expect(askedFields(dated, nothing)).toEqual(["lease_end", "place"]);
  });

  test("what a person fills is used as well, and decides who gets it", () => {
    const own = filledForm({
      title: "{{event}}",
      customMessage: "Hello {{First_Name}} in {{property_unit}}",
    });
    expect(usedFields(own, nothing)).toEqual(["first_name", "property_unit", "event"]);
    const byTemplate = { ...own, messageType: "template" as const, templateId: "1" };
    expect(usedFields(byTemplate, known)).toEqual([...template().dynamicFields, "event"]);
  });
});

describe("the words around a field", () => {
  const around = (customMessage: string, field = "what") =>
    wordsAround(field, filledForm({ customMessage, title: "Now: {{what}}" }), {
      templates: [],
      ownText: false,
    });

  test("are those of its line, with the names of other fields", () => {
    expect(around("Hello,\n{{property_name}}: {{What}}. Please {{to_do}}.\nBye {{what}}")).toEqual([
      "[property\u00a0name]: ",
      ". Please [to\u00a0do].",
    ]);
  });

  test("are cut between words", () => {
    const words = "one two three four five six seven eight nine ten";
    expect(around(`${words} {{what}} ${words}`)).toEqual([
      "… four five six seven eight nine ten ",
      " one two three four five six seven …",
    ]);
    const names = "{{property_name}} and {{property_name}} tell us";
    expect(around(`${names} {{what}} ${names} it`)).toEqual([
      "… and [property\u00a0name] tell us ",
      " [property\u00a0name] and [property\u00a0name] …",
    ]);
  });

  test("are none where it stands alone, or isn't used", () => {
    expect(around("Hello,\n\n{{what}}.\n\nBye")).toBeNull();
    expect(around("Hello", "other")).toBeNull();
  });

  test("are a template's as it reads, and the subject's or title's where only they have it", () => {
    const known = { templates: [template({ contentText: "Pay {{amount}} today." })], ownText: false };
    const form = filledForm({ messageType: "template", templateId: "1", title: "{{amount}} at {{place}}" });
    expect(wordsAround("amount", form, known)).toEqual(["Pay ", " today."]);
    expect(wordsAround("due_date", form, known)).toEqual(["Rent is due on ", ""]);
    expect(wordsAround("place", form, known)).toEqual(["[amount] at ", ""]);
  });
});

test("labels read like words", () => {
  expect(["due_date", "amount", "a_b_c"].map((field) => fieldLabel(field))).toEqual([
    "Due date",
    "Amount",
    "A b c",
  ]);
});

test.each([
  ["due_date", "day"],
  ["date", "day"],
  ["pickup_day", "day"],
  ["deadline", "day"],
  ["update", "line"],
  ["birthday_party", "line"],
  ["work_description", "text"],
  ["announcement", "text"],
  ["what_to_do", "text"],
  ["work_time", "line"],
  ["amount", "line"],
])("%s is asked for as a %s", (field, kind) => expect(answerKind(field)).toBe(kind));

test("the menu offers every field that fills itself", () => {
  expect(insertableFields.map(({ field }) => field).toSorted()).toEqual([...selfFilledFields].toSorted());
});

test("the editor's hint names each field that is spelled in its own way, once", () => {
  expect(
    respelledFields("{{firstName}}, {{First Name}}, {{firstName}}, {{first_name}}, {{due_date}}"),
  ).toEqual([
    { written: "firstName", field: "first_name" },
    { written: "First Name", field: "first_name" },
  ]);
});

test("a save keeps all values until the template says which fields it has", () => {
  const form = filledForm({
    messageType: "template",
    templateId: "1",
    fieldValues: { amount: "$900", left_over: "x" },
  });
  expect(savedFields(form, { templates: [], ownText: false })).toEqual(["amount", "left_over"]);
  expect(savedFields(form, { templates: [template()], ownText: false })).toEqual(["due_date", "amount"]);
});
