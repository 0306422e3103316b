-- Who opted out before this was recorded by address: the last word about each address counts, whichever person had it,
-- and the opt-outs of deleted people hold again. Staff's own choices stay with the person: what they turned on undoes an
-- opt-out only of the person whom they turned it on for.
INSERT INTO suppressions (channel, address, reason, source, kind, opted_out_by, created_at)
SELECT channel, address, CASE source
    WHEN 'texted-stop' THEN 'They texted STOP.'
    WHEN 'one-click' THEN 'They unsubscribed with the link in an email.'
    WHEN 'preferences-page' THEN 'They turned it off on the preferences page.'
    ELSE 'They turned it off in their profile.' END, 'console', 'unsubscribe', source, at
FROM (
  SELECT DISTINCT ON (c.channel, a.address) c.channel, a.address, c.allowed, c.source, c.at
  FROM consents c JOIN users u ON u.id = c.user_id
  CROSS JOIN LATERAL (SELECT CASE c.channel
    WHEN 'email' THEN nullif(lower(trim(u.email)), '') WHEN 'sms' THEN nullif(trim(u.phone), '') END AS address) a
  WHERE a.address IS NOT NULL AND c.source IN ('texted-stop', 'one-click', 'preferences-page', 'profile', 'texted-start')
    AND (c.allowed OR NOT EXISTS (SELECT FROM consents o WHERE o.user_id = c.user_id AND o.channel = c.channel
      AND o.source = 'console' AND o.allowed AND (o.at, o.id) > (c.at, c.id)))
  ORDER BY c.channel, a.address, c.at DESC, c.id DESC
) last
WHERE NOT allowed AND source IN ('texted-stop', 'one-click', 'preferences-page', 'profile')
ON CONFLICT (channel, address) DO UPDATE SET opted_out_by = excluded.opted_out_by;
