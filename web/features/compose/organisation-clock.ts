/** What day and time it is where the organisation is: yyyy-MM-dd and HH:mm. */
export type ClockReading = { today: string; time: string };

/** Reads the organisation's clock at an instant, given in milliseconds since 1970. */
export function readClock(at: number, zone: string): ClockReading {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(at);
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? "";
  return { today: `${of("year")}-${of("month")}-${of("day")}`, time: `${of("hour")}:${of("minute")}` };
}
