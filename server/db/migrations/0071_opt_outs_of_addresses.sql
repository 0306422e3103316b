-- An opt-out belongs to the address. It is a blocked address of kind 'unsubscribe', or stands beside another cause.
ALTER TABLE suppressions
  -- How its recipient opted out: a source of consents. Null on kind 'unsubscribe': the provider reported it.
  ADD COLUMN opted_out_by text,
  -- A text that only sounds like STOP, until staff have confirmed or lifted it.
  ADD COLUMN words text;
