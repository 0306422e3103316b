-- Only an email template has a subject. The first emergency text got one that no editor shows and the next save removed.
UPDATE templates SET subject = '' WHERE type <> 'Email' AND subject <> '';
UPDATE template_versions SET subject = '' WHERE type <> 'Email' AND subject <> '';
