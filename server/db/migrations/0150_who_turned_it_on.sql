-- Web push is off until someone turns it on, and few do. For everyone else, a message has to know that they never did.
CREATE INDEX CONCURRENTLY consents_push ON consents (user_id) WHERE channel = 'push';
