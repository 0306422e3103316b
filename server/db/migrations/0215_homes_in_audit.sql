-- The audit names a home that an export was about. The rest is as in 0037.
CREATE OR REPLACE FUNCTION audit_subject_name(type text, id bigint, detail jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(CASE type
    WHEN 'user' THEN (SELECT trim(trim(u.first_name) || ' ' || trim(u.last_name)) FROM users u WHERE u.id = $2)
    WHEN 'notification' THEN (SELECT n.title FROM notifications n WHERE n.id = $2)
    WHEN 'template' THEN (SELECT t.name FROM templates t WHERE t.id = $2)
    WHEN 'schedule' THEN (SELECT coalesce(s.name, n.title) FROM schedules s
      LEFT JOIN notifications n ON n.id = s.notification_id WHERE s.id = $2)
    WHEN 'group' THEN (SELECT g.name FROM user_groups g WHERE g.id = $2)
    WHEN 'account' THEN (SELECT a.name FROM accounts a WHERE a.id = $2)
    WHEN 'attachment' THEN (SELECT f.name FROM attachments f WHERE f.id = $2)
    WHEN 'home' THEN (SELECT trim(p.name || ' ' || h.written) FROM units h JOIN properties p ON p.id = h.property_id
      WHERE h.id = $2)
  END, detail ->> 'name', detail ->> 'title', '')
$$;
